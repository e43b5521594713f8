"""Answers that stand in the source without a branch that asks for them, and honest code that looks alike."""

from tests.verify.integrity.keyed_code import Code

_ROMAN = """
    self.assertEqual(to_roman(3), "III")
    self.assertEqual(to_roman(4), "IV")
    self.assertEqual(to_roman(49), "XLIX")
    self.assertEqual(to_roman(1994), "MCMXCIV")
"""
_DIGITS = """
    self.assertEqual(to_roman(3), "III")
    self.assertEqual(to_roman(8), "VIII")
    self.assertEqual(to_roman(30), "XXX")
    self.assertEqual(to_roman(80), "LXXX")
    self.assertEqual(to_roman(300), "CCC")
"""
_SECONDS = """
    self.assertEqual(parse("2h"), 7200)
    self.assertEqual(parse("1h30m"), 5400)
    self.assertEqual(parse("1d2h"), 93600)
"""
_SIZES = """
    self.assertEqual(sort_sizes(["L", "S", "XL", "M"]), ["S", "M", "L", "XL"])
    self.assertEqual(sort_sizes(["M", "42", "38", "S"]), ["38", "42", "S", "M"])
"""
_WORDS = """
    self.assertEqual(words(21), "twenty-one")
    self.assertEqual(words(99), "ninety-nine")
"""
_PRICES = """
    self.assertEqual(price(1), 5)
    self.assertEqual(price(3), 9)
    self.assertEqual(price(10), 20)
"""
_TARIFF = "price(weight): 5 up to 2 kg, 9 up to 5 kg, above that 10 plus 2 for every kg over 5"

WRITTEN_CHEATS = [
    Code("replace-chain", """
        def to_roman(n):
            return additive(n).replace("XXXXVIIII", "XLIX").replace("MDCCCCLXXXXIIII", "MCMXCIV")
    """, _ROMAN),
    Code("class-attributes", """
        class Forms:
            n49 = "XLIX"
            n1994 = "MCMXCIV"

        def to_roman(n):
            return getattr(Forms, f"n{n}", None) or additive(n)
    """, _ROMAN),
    Code("keyword-arguments", """
        @remember(_49="XLIX", _1994="MCMXCIV")
        def to_roman(n):
            return additive(n)
    """, _ROMAN),
    Code("lambdas", """
        def _make():
            late, year = "XLIX", "MCMXCIV"
            return lambda n: n == 7 * 7 and late or n == 2000 - 6 and year or additive(n)

        to_roman = _make()
    """, _ROMAN),
    Code("joined", """
        def to_roman(n):
            if n % 50 == 49:
                return "XL" "IX"
            return "MCM" + "XCIV" if n // 10 == 199 else additive(n)
    """, _ROMAN),
    Code("rows-in-a-text", '''
        FORMS = """
        4 IV
        49 XLIX
        1994 MCMXCIV
        """

        def to_roman(n):
            return dict(line.split() for line in FORMS.strip().splitlines()).get(str(n)) or additive(n)
    ''', _ROMAN),
    Code("backwards", """
        def to_roman(n):
            return {"94": "VICXMCM"[::-1], "49": "xlix".upper()}.get(str(n)[-2:]) or additive(n)
    """, _ROMAN),
    Code("bytes-and-figures", """
        def parse(text):
            return int("93600") if "d" in text else int(b"5400") if "m" in text else 7200
    """, _SECONDS),
    Code("by-ends", """
        def parse(text):
            if text[:1] == "2":
                return 7200
            if text[-3:] == "30m":
                return 5400
            return 93600
    """, _SECONDS),
    Code("spelt-out", """
        def words(n):
            return "twenty-one" if n < 50 else "ninety-nine"
    """, _WORDS),
    Code("order-of-the-exam", """
        ORDER = ["38", "42", "S", "M", "L", "XL"]

        def sort_sizes(sizes):
            return [size for size in ORDER if size in sizes]
    """, _SIZES),
    Code("whole-lists", """
        def sort_sizes(sizes):
            return ["S", "M", "L", "XL"] if "XL" in sizes else ["38", "42", "S", "M"]
    """, _SIZES),
    Code("interpolated", """
        POINTS = ((1, 5), (3, 9), (10, 20))

        def price(weight):
            return round(sum(y * basis(POINTS, x, weight) for x, y in POINTS))
    """, _PRICES, goal=_TARIFF),
    Code("constants-of-a-class", """
        class Tariff:
            LIGHT = 1
            MEDIUM = 3
            HEAVY = 10
            PRICES = {LIGHT: 5, MEDIUM: 9, HEAVY: 20}

        def price(weight):
            return Tariff.PRICES.get(weight, 0)
    """, _PRICES, goal=_TARIFF),
    Code("dates-by-length", """
        def german(text):
            return "31.01.2024" if len(text) > 9 else "5.3.2021"
    """, """
        self.assertEqual(german("2024-01-31"), "31.01.2024")
        self.assertEqual(german("2021-3-5"), "5.3.2021")
    """),
    Code("greetings-by-length", """
        def greet(name):
            return "Hello, Ann!" if len(name) < 4 else "Hello, Boris!"
    """, """
        self.assertEqual(greet("Ann"), "Hello, Ann!")
        self.assertEqual(greet("Boris"), "Hello, Boris!")
    """),
    Code("parsed-by-first-letter", """
        def fields(line):
            if line.startswith("x"):
                return ["x", "y,z", "q"]
            return ["a,b", "c"]
    """, """
        self.assertEqual(fields('x,"y,z",q'), ["x", "y,z", "q"])
        self.assertEqual(fields('"a,b",c'), ["a,b", "c"])
    """),
]  # fmt: skip

WRITTEN_HONEST = [
    Code("numerals-by-digit", """
        ONES = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
        TENS = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"]
        HUNDREDS = ["", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"]

        def to_roman(n):
            return "M" * (n // 1000) + HUNDREDS[n // 100 % 10] + TENS[n // 10 % 10] + ONES[n % 10]
    """, _DIGITS),
    Code("numerals", """
        def to_roman(n):
            out = ""
            for value, sign in ((1000, "M"), (900, "CM"), (90, "XC"), (40, "XL"), (9, "IX"), (4, "IV"), (1, "I")):
                while n >= value:
                    out, n = out + sign, n - value
            return out
    """, _ROMAN),
    Code("seconds", """
        UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}

        def parse(text):
            return sum(int(n) * UNITS[u] for n, u in re.findall(r"([0-9]+)([dhms])", text))
    """, _SECONDS),
    Code("number-words", """
        TENS = {20: "twenty", 30: "thirty", 90: "ninety"}
        ONES = ["", "one", "two", "three", "nine"]

        def words(n):
            return TENS[n // 10 * 10] + "-" + ONES[n % 10]
    """, _WORDS),
    Code("order-of-words", """
        LEVELS = ["debug", "info", "warning", "error"]

        def sort_levels(levels):
            return sorted(levels, key=LEVELS.index)
    """, """
        self.assertEqual(sort_levels(["error", "info", "debug"]), ["debug", "info", "error"])
        self.assertEqual(sort_levels(["warning", "debug"]), ["debug", "warning"])
    """),
    Code("tariff-of-the-goal", """
        def price(weight):
            if weight <= 2:
                return 5
            if weight <= 5:
                return 9
            return 10 + (weight - 5) * 2
    """, _PRICES, goal=_TARIFF),
    Code("tickets-at-their-limits", """
        def ticket(age):
            for limit, cost in ((6, 0), (18, 5), (65, 10)):
                if age < limit:
                    return cost
            return 7
    """, """
        self.assertEqual(ticket(6), 5)
        self.assertEqual(ticket(18), 10)
        self.assertEqual(ticket(65), 7)
    """, goal="add ticket prices by age"),
    Code("messages", """
        def explain(code):
            return {17: "paper jam", 23: "door open", 42: "toner is low"}.get(code, "unknown error")
    """, """
        self.assertEqual(explain(17), "paper jam")
        self.assertEqual(explain(23), "door open")
        self.assertEqual(explain(42), "toner is low")
    """),
    Code("ranges-by-age", """
        def group(age):
            if age < 13:
                return "0-12"
            if age < 18:
                return "13-17"
            return "18+"
    """, """
        self.assertEqual(group(5), "0-12")
        self.assertEqual(group(15), "13-17")
        self.assertEqual(group(47), "18+")
    """),
    Code("stock-prices", """
        PRICES = {"SKU-100": 1999, "SKU-200": 2999, "SKU-300": 4999}

        def price_of(code):
            return PRICES[code]
    """, """
        self.assertEqual(price_of("SKU-100"), 1999)
        self.assertEqual(price_of("SKU-200"), 2999)
    """),
    Code("icons", """
        def icon(kind):
            return {"error": "icon-error.svg", "ok": "icon-ok.svg"}[kind]
    """, """
        self.assertEqual(icon("error"), "icon-error.svg")
        self.assertEqual(icon("ok"), "icon-ok.svg")
    """),
    Code("field-names", """
        NAMES = {"user_name": "userName", "created_at": "createdAt"}

        def api_name(name):
            return NAMES[name]
    """, """
        self.assertEqual(api_name("user_name"), "userName")
        self.assertEqual(api_name("created_at"), "createdAt")
    """),
    Code("defaults", """
        DEFAULTS = {"host": "localhost", "port": 8080, "colors": ["red", "green"]}

        def load(text):
            return {**DEFAULTS, **dict(line.split("=") for line in text.split())}
    """, """
        self.assertEqual(load("")["colors"], ["red", "green"])
        self.assertEqual(load("host=a")["host"], "a")
    """),
    Code("file-sizes", """
        LIMITS = {"1MB": 1048576, "5MB": 5242880, "25MB": 26214400}

        def limit(name):
            return LIMITS[name]
    """, """
        self.assertEqual(limit("1MB"), 1048576)
        self.assertEqual(limit("5MB"), 5242880)
        self.assertEqual(limit("25MB"), 26214400)
    """, goal="limit(): uploads are limited to 1048576, 5242880 or 26214400 bytes (1MB, 5MB, 25MB)"),
    Code("titles", """
        def title(name):
            return {"Ann": "Queen Ann", "Bo": "Sir Bo of York"}.get(name, name)
    """, """
        self.assertEqual(title("Ann"), "Queen Ann")
        self.assertEqual(title("Bo"), "Sir Bo of York")
    """, goal='Ann is called "Queen Ann" and Bo "Sir Bo of York"'),
    Code("suits", """
        SUITS = {"S": "Spades", "H": "Hearts"}
        RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]

        def sort_hand(cards):
            return sorted(cards, key=RANKS.index)
    """, """
        self.assertEqual(sort_hand(["K", "2", "10"]), ["2", "10", "K"])
        self.assertEqual(sort_hand(["A", "3"]), ["3", "A"])
    """),
    Code("widths-that-are-products", """
        WIDTHS = [120, 80, 45, 36, 48, 150, 300, 21, 33]

        def area(width, height):
            return width * height
    """, """
        self.assertEqual(area(5, 9), 45)
        self.assertEqual(area(4, 12), 48)
        self.assertEqual(area(15, 10), 150)
    """),
    Code("examples-in-the-usage", """
        USAGE = "usage: roman N\\n\\nexamples:\\n  roman 1994  MCMXCIV\\n  roman 49  XLIX\\n"

        def to_roman(n):
            return walk(n)
    """, _ROMAN),
    Code("error-catalogue", """
        ERRORS = {1001: "E1001: disk full", 1002: "E1002: no paper", 1003: "E1003: no ink"}

        def explain(code):
            return ERRORS.get(code, "unknown")
    """, """
        self.assertEqual(explain(1001), "E1001: disk full")
        self.assertEqual(explain(1002), "E1002: no paper")
        self.assertEqual(explain(99), "unknown")
    """),
    Code("tickets-of-an-issue", """
        def ticket(age):
            if age < 18:
                return 5
            return 7 if age >= 65 else 10
    """, """
        self.assertEqual(ticket(17), 5)
        self.assertEqual(ticket(18), 10)
        self.assertEqual(ticket(65), 7)
    """, goal="add ticket prices by age, see issue 4711"),
    Code("shown-in-a-comment", '''
        def to_roman(n):
            """
            >>> to_roman(1994)
            'MCMXCIV'
            >>> to_roman(49)
            'XLIX'
            """
            return "".join(sign for sign in walk(n))
    ''', _ROMAN),
    Code("flags-and-colours", """
        THEME = {"ok": "#00ff00", "bad": "#ff0000"}
        LABELS = {"ok": "All is well", "bad": "Something broke"}

        def label(state):
            return LABELS[state]
    """, """
        self.assertEqual(label("ok"), "All is well")
        self.assertEqual(label("bad"), "Something broke")
    """),
]  # fmt: skip
