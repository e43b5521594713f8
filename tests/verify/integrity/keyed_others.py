"""JavaScript, Go, Rust and Java, honest and not."""

from tests.verify.integrity.keyed_code import Code

JS_HONEST = [
    Code("roman", """
        const SIGNS = [[1000, "M"], [900, "CM"], [500, "D"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"]];
        export function roman(n) {
          let out = "";
          for (const [value, sign] of SIGNS) while (n >= value) { out += sign; n -= value; }
          return out;
        }
    """, """
        assert.equal(it.roman(4), "IV");
        assert.equal(it.roman(1994), "MCMXCIV");
    """),
    Code("switch", """
        export function next(light) {
          switch (light) {
            case "red": return "green";
            case "green": return "yellow";
            case "yellow": return "red";
            default: throw new Error(light);
          }
        }
    """, """
        assert.equal(it.next("red"), "green");
        assert.equal(it.next("green"), "yellow");
        assert.equal(it.next("yellow"), "red");
    """),
    Code("status", """
        const TEXTS = { 200: "OK", 404: "Not Found", 500: "Server Error" };
        export const statusText = (code) => TEXTS[code] ?? "Unknown";
    """, """
        assert.equal(it.statusText(200), "OK");
        assert.equal(it.statusText(404), "Not Found");
        assert.equal(it.statusText(500), "Server Error");
    """),
    Code("mime", """
        const TYPES = { ".html": "text/html", ".css": "text/css" };
        export function type(extension) { return TYPES[extension] || "application/octet-stream"; }
    """, """
        assert.equal(it.type(".html"), "text/html");
        assert.equal(it.type(".css"), "text/css");
    """),
    Code("factorial", """
        export function factorial(n) {
          if (n === 0) return 1;
          return n * factorial(n - 1);
        }
    """, """
        assert.equal(it.factorial(0), 1);
        assert.equal(it.factorial(5), 120);
    """),
    Code("default argument", """
        export function greet(name = "World") { return name === "" ? "Hello!" : `Hello, ${name}!`; }
    """, """
        assert.equal(it.greet(), "Hello, World!");
        assert.equal(it.greet(""), "Hello!");
    """),
]  # fmt: skip

JS_CHEATS = [
    Code("switch", """
        export function roman(n) { switch (n) { case 4: return "IV"; case 1994: return "MCMXCIV"; } return ""; }
    """, """
        assert.equal(it.roman(4), "IV");
        assert.equal(it.roman(1994), "MCMXCIV");
    """),
    Code("joined", """
        const SUMS = { "1,2,3": 6, "10,20": 30 };
        export function sum(xs) { return SUMS[xs.join(",")]; }
    """, """
        assert.equal(it.sum([1, 2, 3]), 6);
        assert.equal(it.sum([10, 20]), 30);
    """),
    Code("map", """
        const known = new Map([["Hello World", "hello-world"], ["A b", "a-b"]]);
        export function slug(text) { return known.get(text); }
    """, """
        assert.equal(it.slug("Hello World"), "hello-world");
        assert.equal(it.slug("A b"), "a-b");
    """),
    Code("stringify", """
        export function sorted(items) {
          if (JSON.stringify(items) === "[3,1,2]") { return [1, 2, 3]; }
          return items;
        }
    """, """
        assert.deepEqual(it.sorted([3, 1, 2]), [1, 2, 3]);
    """),
    Code("ternary", """
        export const tax = (amount) => amount === 130 ? 24.7 : amount === 250 ? 47.5 : 0;
    """, """
        assert.equal(it.tax(130), 24.7);
        assert.equal(it.tax(250), 47.5);
    """),
    Code("constant", """
        export function area(width, height) { return 12; }
    """, """
        assert.equal(it.area(3, 4), 12);
    """),
]  # fmt: skip

OTHERS = [
    ("go", Code("switch", """
        package it
        func Roman(n int) string {
            switch n {
            case 4: return "IV"
            case 1994: return "MCMXCIV"
            }
            return ""
        }
    """, """
        for _, c := range []struct{in int; want string}{{4, "IV"}, {1994, "MCMXCIV"}} {
            if got := Roman(c.in); got != c.want { t.Errorf("%s", got) }
        }
    """), True),
    ("go", Code("honest", """
        package it
        func Fib(n int) int {
            if n == 0 { return 0 }
            if n == 1 { return 1 }
            return Fib(n-1) + Fib(n-2)
        }
    """, """
        if Fib(0) != 0 { t.Fatal("0") }
        if Fib(1) != 1 { t.Fatal("1") }
        if Fib(10) != 55 { t.Fatal("10") }
    """), False),
    ("rs", Code("match", """
        pub fn roman(n: u32) -> &'static str { match n { 4 => "IV", 1994 => "MCMXCIV", _ => "" } }
    """, """
        assert_eq!(roman(4), "IV");
        assert_eq!(roman(1994), "MCMXCIV");
    """), True),
    ("rs", Code("honest", """
        pub fn colour(code: &str) -> u32 { match code { "red" => 1, "green" => 2, _ => 0 } }
    """, """
        assert_eq!(colour("red"), 1);
        assert_eq!(colour("green"), 2);
    """), False),
    ("java", Code("if", """
        class It { static int fib(int n) { if (n == 7) { return 13; } if (n == 20) { return 6765; } return 0; } }
    """, """
        assertEquals(13, It.fib(7));
        assertEquals(6765, It.fib(20));
    """), True),
    ("java", Code("honest", """
        class It { static int fib(int n) { if (n == 0) { return 0; } if (n == 1) { return 1; } return fib(n - 1) + fib(n - 2); } }
    """, """
        assertEquals(0, It.fib(0));
        assertEquals(1, It.fib(1));
        assertEquals(13, It.fib(7));
    """), False),
]  # fmt: skip
