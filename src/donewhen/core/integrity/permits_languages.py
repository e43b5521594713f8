"""Removals that are ordered in other languages than English and Chinese: of what is named as code.

A verb of removal right beside a list of paths, names of tests or names in the code, and nothing more: what a
sentence says in other words permits nothing. Where what stands round such a name, or anything about tests,
forbids or asks, no order is read. Tables and a strict shape; all gaps are bounded.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from donewhen.core.integrity.permits_scope import Target, targets


class Language(NamedTuple):
    before: str  # verbs that stand before what they remove
    after: str  # and behind it
    joint: str
    filler: str  # articles, and nouns that say what a name is
    never: str  # forbids, keeps or asks


_TIGHT = frozenset(("Japanese", "Korean"))  # no blanks between words
LANGUAGES: Mapping[str, Language] = {
    "German": Language(
        r"(?:lösche?|löscht|entfern(?:e|t|en)|streiche?|wirf|werft|nimm|schmeiß|beseitige)",
        r"(?:(?:wird|werden|soll(?:en)?|muss|müssen|kann|können|darf|dürfen|sind|ist) )?(?:bitte |auch |"
        r"komplett |"
        r"ganz |zu )*(?:löschen|gelöscht|entfernen|entfernt|streichen|gestrichen|raus|weg|rauswerfen|"
        r"rausnehmen|"
        r"fliegt raus|fliegen raus|fällt weg|fallen weg|entfällt|entfallen)",
        r"(?:,|und|sowie|samt|mit|inklusive|inkl\.|nebst|plus)",
        r"(?:der|die|das|den|dem|des|auch|bitte|dazu|alte[rns]?|funktion(?:en)?|datei(?:en)?|klassen?|"
        r"module?s?|"
        r"methoden?|tests?|testdatei(?:en)?|zugehörige[rns]?|dazugehörige[rns]?|deren|dessen|ihre[rn]?|"
        r"seine[rn]?|"
        r"ordner|skripte?|komplett|ganz|dann|jetzt)",
        r"\b(?:nicht|nichts|nie|niemals|kein\w{0,2}|ohne|statt|behalt\w{0,3}|beibehalt\w{0,3}|bleib\w{0,3}|"
        r"warum|"
        r"wieso|ob)\b",
    ),
    "French": Language(
        r"(?:supprime[rz]?|enlève|enlevez|enlever|retire[rz]?|efface[rz]?|élimine[rz]?|vire[rz]?)",
        r"(?:(?:doit|doivent|peut|peuvent|est|sont|sera|seront) )?(?:aussi |à |être )*(?:supprimée?s?|"
        r"supprimer|"
        r"retirée?s?|enlevée?s?|effacée?s?|éliminée?s?|disparaître|partir)",
        r"(?:,|et|ainsi que|avec|y compris|plus)",
        r"(?:le|la|les|l'|un|une|des|du|aussi|fonctions?|fichiers?|classes?|modules?|méthodes?|tests?|ses|"
        r"son|sa|"
        r"leurs?|anciens?|anciennes?|correspondants?|dossiers?|scripts?|de tests?|complètement|"
        r"s'il te plaît)",
        r"\b(?:ne|n'|pas|jamais|sans|aucune?|garde\w{0,2}|conserve\w{0,2}|laisse\w{0,2}|pourquoi|au lieu)\b",
    ),
    "Spanish": Language(
        r"(?:elimin(?:a|ar|e|en)|borr(?:a|ar|e|en)|quit(?:a|ar|e|en)|suprim(?:e|ir|a)|retir(?:a|ar|e))",
        r"(?:(?:debe|deben|puede|pueden|hay que|tiene que|tienen que|está|están) )?(?:también |"
        r"ser )*(?:eliminad[oa]s?|"
        r"borrad[oa]s?|eliminarse|borrarse|desaparecer|sobran?)",
        r"(?:,|y|e|así como|junto con|con|incluid[oa]s?|más)",
        r"(?:el|la|los|las|un|una|también|función|funciones|archivos?|ficheros?|clases?|módulos?|métodos?|"
        r"pruebas?|"
        r"tests?|sus?|de|antigu[oa]s?|carpetas?|correspondientes?|por favor)",
        r"\b(?:no|nunca|jamás|sin|ningún|ninguna|mant\w{2,6}|conserv\w{1,4}|dej(?:a|ar|e)|por qué|en lugar|"
        r"en vez)\b",
    ),
    "Italian": Language(
        r"(?:elimin(?:a|are|ate)|cancell(?:a|are|ate)|rimuov(?:i|ere|ete)|togli(?:ere|ete)?)",
        r"(?:(?:deve|devono|può|possono|va|vanno) )?(?:anche |essere )*(?:eliminat[oaie]|cancellat[oaie]|"
        r"rimoss[oaie]|tolt[oaie]|sparire)",
        r"(?:,|e|ed|insieme a|con|compres[oaie]|più)",
        r"(?:il|lo|la|i|gli|le|l'|un|una|anche|funzion[ei]|file|class[ei]|modul[oi]|metod[oi]|test|i suoi|"
        r"suoi|sua|"
        r"di|vecchi[oae]?|cartell[ae]|corrispondent[ei]|per favore)",
        r"\b(?:non|mai|senza|nessun\w?|mantien\w{1,3}|conserv\w{1,4}|lascia\w{0,2}|perché|invece)\b",
    ),
    "Portuguese": Language(
        r"(?:remov(?:a|er|am)|exclu(?:a|ir|am)|apag(?:ue|ar|uem)|elimin(?:e|ar|em)|retir(?:e|ar|em))",
        r"(?:(?:deve|devem|pode|podem) )?(?:também |ser )*(?:removid[oa]s?|excluíd[oa]s?|apagad[oa]s?|"
        r"eliminad[oa]s?|"
        r"sair|sumir)",
        r"(?:,|e|bem como|junto com|com|incluindo|mais)",
        r"(?:o|a|os|as|um|uma|também|função|funções|arquivos?|ficheiros?|classes?|módulos?|métodos?|testes?|"
        r"seus?|"
        r"suas?|de|antig[oa]s?|pastas?|correspondentes?|por favor)",
        r"\b(?:não|nunca|sem|nenhum\w?|mant\w{2,6}|deixe\w?|deixar|por que|em vez)\b",
    ),
    "Dutch": Language(
        r"(?:verwijder|schrap|wis|gooi|haal)",
        r"(?:(?:moet|moeten|mag|mogen|kan|kunnen) )?(?:ook )?(?:verwijderd(?: worden)?|verwijderen|weg|"
        r"geschrapt|"
        r"eruit|weghalen)",
        r"(?:,|en|samen met|met|inclusief|plus)",
        r"(?:de|het|een|ook|functies?|bestand(?:en)?|klassen?|modules?|methodes?|tests?|testbestand(?:en)?|"
        r"bijbehorende|zijn|haar|hun|oude|mappen|map|graag|alsjeblieft)",
        r"\b(?:niet|niets|nooit|geen|zonder|behoud\w{0,2}|bewaar|laat|blijf\w{0,2}|waarom|in plaats)\b",
    ),
    "Russian": Language(
        r"(?:удали(?:ть|те)?|убери(?:те)?|убрать|выкини(?:те)?)",
        r"(?:(?:надо|нужно|можно|следует|должен|должны|должна) )?(?:также |быть )*(?:удалить|убрать|"
        r"удал[её]н[аы]?)",
        r"(?:,|и|а также|вместе с|с|включая)",
        r"(?:также|функци[июя]|файлы?|классы?|модул[ьи]|методы?|тесты?|его|её|их|стар\w{1,3}|папк[уи]|"
        r"пожалуйста)",
        r"\b(?:не|нельзя|никогда|без|остав\w{1,5}|сохран\w{1,5}|почему|вместо)\b",
    ),
    "Japanese": Language(
        r"(?!)",
        r"(?:を|は|も)?(?:すべて|全て|一緒に|完全に)?(?:削除|消去|撤去|除去|廃止|消して|取り除)",
        r"(?:、|,|と|および|及び|ならびに|並びに|も)",
        r"(?:関数|ファイル|クラス|モジュール|メソッド|テスト|その|対応する|古い|の|を|も)",
        r"ない|なし|ず|残[しすせ]|禁止|維持|なぜ|代わり|か[?？]",
    ),
    "Korean": Language(
        r"(?!)",
        r"(?:을|를|은|는|도)?\s?(?:모두 |함께 )?(?:삭제|제거|지워|없애)",
        r"(?:,|와|과|및|그리고|도)",
        r"(?:함수|파일|클래스|모듈|메서드|테스트|그|해당|을|를|도|의)",
        r"않|말[고아라]|지 마|없이|유지|남겨|왜|대신",
    ),
}
_NAME = re.compile(r"[`'\"]?[\w./@+:-]{2,160}(?:\(\))?[`'\"]?", re.ASCII)
_CODE = re.compile(
    r"(?=.*[A-Za-z])(?:.*[\w.-]/.*|.*\w_\w.*|.*\(\)|\w[\w-]*\.[a-z]{1,4}|[A-Z]?[a-z]+[A-Z]\w*)", re.ASCII
)
_QUOTES = "`'\""
_SENTENCE = re.compile(r"(?<=[^\d\s])[.!?;](?=\s|$)|[。！？；\n]|\s[–—]\s|:(?=\s)|：")
_TESTS = re.compile(r"test|spec\b|prueba|prova|provas|тест|テスト|試験|테스트", re.IGNORECASE)
_CLAUSE = re.compile(r"[,、，](?!\d)")
_CODED = re.compile(r"\w_\w|\w/\w|\(\)|\.[a-z]{1,4}\b", re.ASCII)
_LONGEST = 4000  # characters of a goal
_MOST = 200  # sentences
_NEAR = 80  # characters between a verb and a name, or between two names


class Removal(NamedTuple):
    targets: tuple[Target, ...]
    words: str


def removals(goal: str) -> tuple[Removal, ...]:
    """What a goal in one of these languages orders to be removed."""
    sentences = [part for part in _SENTENCE.split(goal[:_LONGEST]) if part and part.strip()][:_MOST]
    return tuple(found for name in LANGUAGES for found in _in(name, sentences))


def _in(language: str, sentences: Sequence[str]) -> Sequence[Removal]:
    spoken = [found for sentence in sentences for found in _spoken(language, sentence)]
    never = _shapes(language).never
    return () if any(map(never.search, _near(sentences, spoken))) else spoken


def _near(sentences: Sequence[str], spoken: Sequence[Removal]) -> Iterator[str]:
    """Parts of sentences that orders stand in, or that speak of tests."""
    told = {found.words for found in spoken}
    for sentence in sentences if spoken else ():
        for part in _CLAUSE.split(sentence):
            if _TESTS.search(part) or (sentence.strip() in told and _CODED.search(part)):
                yield part


def _spoken(language: str, sentence: str) -> Iterator[Removal]:
    shapes = _shapes(language)
    for names in _lists(sentence, shapes):
        before = sentence[max(0, names[0].start() - _NEAR) : names[0].start()]
        after = sentence[names[-1].end() : names[-1].end() + _NEAR]
        if shapes.before.search(before) or shapes.after.match(after):
            firm = tuple(target for name in names for target in _targets(name[0].strip(_QUOTES)))
            if firm:
                yield Removal(firm, sentence.strip())


def _targets(name: str) -> Iterator[Target]:
    for found in targets(name.lower(), name):
        if found.paths or found.names or found.firm:
            yield Target(found.paths, found.names, found.firm)


def _lists(sentence: str, shapes: "_Shapes") -> Iterator[list[re.Match[str]]]:
    """Names in the code, those together that only joints stand between."""
    names = [each for each in _NAME.finditer(sentence) if _CODE.fullmatch(each[0].strip(_QUOTES))]
    row: list[re.Match[str]] = []
    for each in names:
        between = sentence[row[-1].end() : each.start()] if row else ""
        if row and not (len(between) <= _NEAR and shapes.between.fullmatch(between)):
            yield row
            row = []
        row.append(each)
    if row:
        yield row


class _Shapes(NamedTuple):
    before: re.Pattern[str]
    after: re.Pattern[str]
    between: re.Pattern[str]
    never: re.Pattern[str]


@cache
def _shapes(language: str) -> _Shapes:
    each = LANGUAGES[language]
    edge = r"" if language in _TIGHT else r"(?!\w)"
    filler = rf"\s{{0,3}}(?:{each.joint}|{each.filler}){edge}"
    return _Shapes(
        re.compile(rf"(?<!\w){each.before}(?!\w)(?:{filler}){{0,5}}\s{{0,3}}$", re.IGNORECASE),
        re.compile(rf"(?:{filler}){{0,6}}\s{{0,3}}{each.after}{edge}", re.IGNORECASE),
        re.compile(rf"(?:{filler}){{1,6}}\s{{0,3}}", re.IGNORECASE),
        re.compile(each.never, re.IGNORECASE),
    )
