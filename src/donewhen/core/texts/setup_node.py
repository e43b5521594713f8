"""What is said about the environments of JavaScript and the languages beside Python."""

TEXTS: dict[str, tuple[str, str]] = {
    "missing": (
        "the program `{program}` is not installed or not on the PATH, so its commands can't run; {how}",
        "程序 `{program}` 未安装或不在 PATH 中，其命令无法运行；{how}",
    ),
    "install_node": ("install Node.js, which brings it", "请安装包含它的 Node.js"),
    "install_pnpm": (
        "install it with `npm install -g pnpm` or `corepack enable pnpm`",
        "请用 `npm install -g pnpm` 或 `corepack enable pnpm` 安装",
    ),
    "install_yarn": (
        "install it with `npm install -g yarn` or `corepack enable yarn`",
        "请用 `npm install -g yarn` 或 `corepack enable yarn` 安装",
    ),
    "install_bun": ("install it with `npm install -g bun`", "请用 `npm install -g bun` 安装"),
    "step_asks_outside": (
        "{source} runs `{step}`, which asks the network and so says nothing about this tree; it is left out, the other steps are run one by one",
        "{source} 运行 `{step}`，它要访问网络，因此不能说明这棵树的情况；该步骤被略去，其余步骤逐一运行",
    ),
    "step_lacks_config": (
        "{source} runs `{step}`, whose configuration is not in this folder; it is left out, the other steps are run one by one",
        "{source} 运行 `{step}`，而其配置不在此文件夹中；该步骤被略去，其余步骤逐一运行",
    ),
    "install_toolchain": ("install the tools of the language {language}", "请安装 {language} 语言的工具"),
}
