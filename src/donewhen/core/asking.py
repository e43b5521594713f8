"""Which models did the work of a run, and the money that is held for calls nobody heard the end of."""

from donewhen.core.events import Body

_MOST = 50  # names that are kept


class AskedFold:
    """Takes bodies of events; what is asked now is also what is held."""

    def __init__(self) -> None:
        self._models: dict[str, None] = {}
        self.spent_micros = 0
        self._open: dict[str, tuple[int, str]] = {}  # micro-dollars and the model, by the key of a call

    def take(self, body: Body) -> None:
        match type(body).__name__:
            case "CostReserved":
                held, _ = self._open.get(body.key, (0, ""))
                self._open[body.key] = (held + max(0, body.micros), body.model)
            case "CostBooked":
                self._open.pop(body.key, None)
                self.spent_micros += max(0, body.micros)
                if body.micros or body.tokens_in or body.tokens_out:  # else it gave no answer
                    self._name(body.model)
            case "AgentStepped":
                self._name(body.model)

    def _name(self, model: str) -> None:
        if model and len(self._models) < _MOST:
            self._models.setdefault(model)

    @property
    def models(self) -> tuple[str, ...]:
        """In the order in which they were first heard."""
        return tuple(self._models)

    @property
    def held_micros(self) -> int:
        return sum(micros for micros, _ in self._open.values())

    @property
    def asked(self) -> str:
        """The model that was asked last and has not answered yet."""
        return next((model for _, model in reversed(self._open.values()) if model), "")
