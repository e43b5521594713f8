"""Help pages in the user's language, from the catalogue; listing commands loads none of them."""

import re

import click

from donewhen.core.errors import UserError
from donewhen.ui.words import t

_MORE = re.compile(
    r"[;；：]|: (?![^(]*\))|\n\n|[.。](?: |$)"
)  # what follows stands on the command's own page
SHARED = ("as_json", "quiet", "verbose", "settings", "debug", "version", "help")


class Command(click.Command):
    """A command whose help page has our headings."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option:
            option.help = t("help.help")
        return option

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        for word, key in (("[OPTIONS]", "help.options_piece"), ("COMMAND [ARGS]...", "help.command_piece")):
            pieces = pieces.replace(word, t(key))
        formatter.write_usage(ctx.command_path, pieces, t("help.usage"))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A command's own options first, then those that all commands share."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        options.sort(key=lambda option: SHARED.index(option.name) if option.name in SHARED else -1)
        records = [option.get_help_record(ctx) for option in options]
        with formatter.section(t("help.options")):
            formatter.write_dl([record for record in records if record])


class Group(Command, click.Group):
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, names in self.sections(ctx).items():
            with formatter.section(title):
                formatter.write_dl([(name, _MORE.split(self.line_about(ctx, name))[0]) for name in names])
        super().format_options(ctx, formatter)

    def sections(self, ctx: click.Context) -> dict[str, list[str]]:
        """Headings with the names of commands below them."""
        return {t("help.commands"): self.list_commands(ctx)}

    def line_about(self, ctx: click.Context, name: str) -> str:
        command = self.get_command(ctx, name)
        return command.help or "" if command else ""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not ctx.resilient_parsing and args and self.get_command(ctx, args[0]) is None:
            import difflib

            near = difflib.get_close_matches(args[0], self.list_commands(ctx), 1)
            hint = t("cli.did_you_mean", name=near[0]) if near else ""
            raise UserError("cli.no_command", name=args[0], hint=hint, command=ctx.command_path)
        return super().resolve_command(ctx, args)
