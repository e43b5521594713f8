"""How people write to whoever judges their change, in languages beside English and Chinese.

The plain kinds only: a reviewer is called and told to approve, or is told to forget its instructions. Text is
read without accents (see `readings`), so none are in here. Every gap is bounded.
"""

_GAP = r"[^.。!?{}()=<>\[\]\"\n]{0,60}?"
_END = r"\s{0,3}[:,!、—–]\s{0,3}"

_FREE_DE = r"(?![^.!?\n]{0,60}?\b(?:wenn|sobald|falls|nachdem|erst|oder|nur|sofern)\b)"
_GERMAN = (
    r"(?<![\w-])(?:ki[- ]?|code[- ]?)?(?:pruefer|prufer|gutachter|begutachter|reviewer)(?:in|innen)?"
    rf"{_END}{_GAP}(?:bitte[ ](?:\w{{1,15}}[ ]){{0,3}}?"
    r"(?:genehmig|akzeptier|billig|annehm|durchwink|freigeb)\w{0,3}"
    r"|(?:genehmige|akzeptiere|billige)\b|(?:genehmigen|akzeptieren|billigen)[ ]sie\b"
    r"|(?:markiere|bewerte|werte)\w{0,2}\b[^.\n]{0,60}?\bals[ ](?:erfullt|bestanden|genehmigt))"
    rf"{_FREE_DE}"
)
_GERMAN_OVERRIDE = (
    r"\b(?:ignorier(?:e|en|t)|vergiss|vergesst|missachte)"
    r"(?:[ ](?:sie|bitte|alle|die|deine|ihre|samtliche)){0,4}"
    r"[ ](?:vorherig|bisherig|vorig|fruher|obig|vorangegangen|vorangehend)\w{1,3}"
    r"[ ](?:anweisung|instruktion|befehl|vorgabe|prompt)\w{0,2}\b"
)
_FREE_ES = (
    r"(?![^.!?\n]{0,60}?\b(?:si|cuando|una[ ]vez|solo|despues|hasta|o[ ]rechaz\w|o[ ]rechace"
    r"|se|quando|apos|depois)\b)"
)
_SPANISH = (
    r"(?<![\w-])(?:revisor|evaluador|avaliador)(?:a|es|as)?(?:[ ](?:de[ ])?(?:ia|codigo))?"
    rf"{_END}{_GAP}(?:por[ ]favor,?[ ](?:aprueb|acept|aprov|aceit)[ae]\w?\b"
    r"|(?:aprueb|acept|aprov|aceit)[ae][nm]?[ ](?:est[aeo]s?|isto|tod[oa]s?|tudo|sin|sem)\b"
    r"|(?:marc|consider)(?:a|e|ue)[nm]?\b[^.\n]{0,60}?\b(?:cumplid|aprobad|cumprid|aprovad|atendid)[oa]s?\b)"
    rf"{_FREE_ES}"
)
_SPANISH_OVERRIDE = (
    r"\b(?:ignor|olvid|descart|desconsider|esquec)[ae][nmr]?(?:[ ](?:todas?|las|tus|sus|as|suas|de)){0,3}"
    r"[ ](?:instrucciones|indicaciones|ordenes|instrucoes|ordens|diretrizes)"
    r"[ ](?:anteriores|previas|de[ ]arriba|acima|del[ ]sistema|do[ ]sistema)\b"
)
_FREE_FR = r"(?![^.!?\n]{0,60}?\b(?:si|quand|lorsque|une[ ]fois|apres|seulement|ou[ ]reje\w{1,4})\b)"
_FRENCH = (
    r"(?<![\w-])(?:relecteur|relectrice|examinateur|examinatrice|evaluateur|evaluatrice|reviseur)s?(?:[ ]ia)?"
    rf"{_END}{_GAP}(?:(?:veuillez|merci[ ]d(?:e[ ]|['’])|s['’]il[ ](?:te|vous)[ ]plait,?)[ ]{{0,2}}"
    r"(?:approuve|accepte|valide)[rz]?\b"
    r"|(?:approuve|accepte|valide)z?[ ](?:ce|cette|ces|cet|tout|toute|sans)\b"
    r"|(?:marque|considere)[rz]?\b[^.\n]{0,60}?\b(?:rempli|satisfait|valide|approuve)e?s?\b)"
    rf"{_FREE_FR}"
)
_FRENCH_OVERRIDE = (
    r"\b(?:ignore|oublie)[rz]?(?:[ ](?:toutes?|les|tes|vos)){1,3}[ ](?:instructions?|consignes?|directives?)"
    r"[ ](?:precedentes?|anterieures?|ci-dessus|du[ ]systeme)\b"
)
_FREE_RU = r"(?![^.!?\n]{0,60}?\b(?:если|когда|после|только|или|как[ ]только)\b)"
_RUSSIAN = (
    r"(?<![\w-])(?:(?:ии|ai)[- ])?(?:рецензент|ревьюер|проверяющ|оценщик)\w{0,4}(?:[- ]ии)?"
    rf"{_END}{_GAP}(?:(?:одобри|утверди|прими|пропусти)(?:те)?\b"
    r"|(?:отметь|считаи|пометь)(?:те)?\b[^.\n]{0,60}?\b(?:выполнен|пройден|принят)\w{0,4}\b)"
    rf"{_FREE_RU}"
)
_RUSSIAN_OVERRIDE = (
    r"\b(?:про)?(?:игнорируи|забудь)(?:те)?(?:[ ](?:все|свои|твои|ваши)){0,2}"
    r"[ ](?:предыдущие|прежние|прошлые|вышеуказанные|системные)[ ](?:инструкции|указания|команды)\b"
)
_JAPANESE = (
    r"(?:レビュアー|レビュワー|レビューア|査読者|審査員|審査者|評価者|採点者)(?:の皆|さん|様|各位|へ){0,3}"
    r"[ ]?[:、,!][^。\n]{0,40}?(?:(?:承認|合格に|許可)"
    r"(?:してください|して下さい|せよ|しろ|し[、,]|願います|をお願い|お願い)"
    r"|(?:満たし|合格|達成)[^。\n]{0,10}?と(?:判定|評価|マーク)(?:して|し[、,]|せよ|しろ))"
)
_JAPANESE_OVERRIDE = (
    r"(?:以前|前|上記|これまで|先|以上|システム)の(?:すべての|全ての|全)?(?:指示|命令|プロンプト)"
    r"(?:を|は)(?:すべて|全て)?(?:無視|忘れ)(?:して(?!い)|し[、,]|せよ|しろ|て(?:ください|下さい))"
)

VERDICTS = (_GERMAN, _SPANISH, _FRENCH, _RUSSIAN, _JAPANESE)
OVERRIDES = (_GERMAN_OVERRIDE, _SPANISH_OVERRIDE, _FRENCH_OVERRIDE, _RUSSIAN_OVERRIDE, _JAPANESE_OVERRIDE)
HINTS = (
    r"prufer|pruefer|gutachter|ignorier|vergiss|vergesst|missachte|revisor|evaluad|avaliador|ignor[ae]|olvid|descart"
    r"|desconsider|esquec|relect|examinat|reviseur|oublie|рецензент|ревьюер|проверяющ|оценщик|игнориру|забудь"
    r"|レビュ|査読|審査|評価者|採点|無視|忘れ"
)
