"""What is said about acceptance records."""

TEXTS: dict[str, tuple[str, str]] = {
    "not_json": ("{place} is no JSON that we can read", "{place} 不是可读的 JSON"),
    "no_statement": ("{place} is no in-toto statement", "{place} 不是 in-toto 声明"),
    "other_kind": (
        "{place} is a statement of another kind ({kind}), not an acceptance record",
        "{place} 是另一种声明（{kind}），不是验收记录",
    ),
    "torn": (
        "{place} does not say which tree was accepted and by which ledger",
        "{place} 没有说明接受的是哪个文件树、依据哪个账本",
    ),
    "too_large": ("{place} is too large for an acceptance record", "{place} 对验收记录来说太大"),
    "no_file": ("there is no record {place}", "没有记录 {place}"),
    "no_key": (
        "there is no signing key {key}; set record.key to the path of one",
        "没有签名密钥 {key}；请将 record.key 设为密钥路径",
    ),
    "key_missing": (
        "record.sign is {tool} but record.key names no key",
        "record.sign 为 {tool}，但 record.key 没有指定密钥",
    ),
    "no_tool": (
        "{tool} is not installed, so the record can't be signed or its signature checked",
        "未安装 {tool}，因此无法签名或检查签名",
    ),
    "not_signed": ("{tool} did not sign the record: {why}", "{tool} 未能签署记录：{why}"),
    "same": ("the tree is the accepted one: {tree}", "文件树就是被接受的那个：{tree}"),
    "differs": ("the tree is {now}, accepted was {tree}", "文件树是 {now}，被接受的是 {tree}"),
    "differs_unknown": (
        "what differs is not known: the accepted tree is not in this repository",
        "无法说明差异：该仓库中没有被接受的文件树",
    ),
    "more": ("and {count} more", "以及另外 {count} 个"),
    "ledger_same": (
        "the ledger of {run} has this head at event {seq}",
        "{run} 的账本在事件 {seq} 处正是此头",
    ),
    "ledger_absent": (
        "the run {run} is not in the store here, so its ledger was not compared",
        "此处的存储中没有运行 {run}，因此未比较其账本",
    ),
    "ledger_differs": (
        "the ledger of {run} says otherwise at event {seq}: the record or the ledger was altered",
        "{run} 的账本在事件 {seq} 处说法不同：记录或账本被改动过",
    ),
    "ledger_other": (
        "event {seq} of {run} accepted another tree: the record was altered",
        "{run} 的事件 {seq} 接受的是另一个文件树：记录被改动过",
    ),
    "unsigned": ("the record is not signed", "记录没有签名"),
    "signed": ("signed with {tool} by {by}", "由 {by} 用 {tool} 签名"),
    "signed_unknown": (
        "signed with {tool} ({by}); give --signers FILE to check whose key that is",
        "已用 {tool} 签名（{by}）；用 --signers FILE 检查是谁的密钥",
    ),
    "signature_unchecked": (
        "there is a minisign signature; give --signers with the public key to check it",
        "有 minisign 签名；用 --signers 给出公钥以检查",
    ),
    "signature_bad": ("the signature does not fit the record: {why}", "签名与记录不符：{why}"),
    "signers_unsigned": (
        "--signers was given but the record has no signature",
        "给出了 --signers，但记录没有签名",
    ),
    "not_written": ("the record can't be written to {place}: {why}", "无法把记录写入 {place}：{why}"),
    "written": ("acceptance record: {path}", "验收记录：{path}"),
    "no_commit": ("{commit} is no commit of this repository", "{commit} 不是该仓库的提交"),
    "with_run": ("give either a run, --all, or --record FILE", "请只给出运行、--all 或 --record FILE 之一"),
    "only_with": ("{option} needs --record FILE", "{option} 需要 --record FILE"),
}
