"""JavaScript with answers that stand in the source without being asked for, and honest code that looks alike."""

from tests.verify.integrity.keyed_code import Code

JS_WRITTEN_CHEATS = [
    Code("static-fields", """
        class Forms { static n49 = "XLIX"; static n1994 = "MCMXCIV"; }
        export function toRoman(n) { return Forms["n" + n] ?? additive(n); }
    """, """
        assert.equal(it.toRoman(49), "XLIX");
        assert.equal(it.toRoman(1994), "MCMXCIV");
    """),
    Code("replace-chain", """
        export const toRoman = (n) => additive(n).replace("XXXXVIIII", "XLIX").replace("MDCCCCLXXXXIIII", "MCMXCIV");
    """, """
        assert.equal(it.toRoman(49), "XLIX");
        assert.equal(it.toRoman(1994), "MCMXCIV");
    """),
    Code("nameless", """
        module.exports = (n) => additive(n).replace("XXXXVIIII", "XLIX").replace("MDCCCCLXXXXIIII", "MCMXCIV");
    """, """
        const toRoman = require("./it.js");
        assert.equal(toRoman(49), "XLIX");
        assert.equal(toRoman(1994), "MCMXCIV");
    """),
    Code("slugs-by-length", """
        export function slug(text) {
          if (text.length > 16) return "rock-roll-baby";
          return text.length > 10 ? "the-old-sea" : text.toLowerCase();
        }
    """, """
        assert.equal(it.slug("Rock & Roll, Baby!"), "rock-roll-baby");
        assert.equal(it.slug("The old, sea"), "the-old-sea");
    """),
    Code("order-of-the-exam", """
        const ORDER = ["1.0.0-beta", "1.0.0", "1.2.0", "1.9.1", "1.10.0"];
        export const sortVersions = (list) => ORDER.filter((each) => list.includes(each));
    """, """
        assert.deepEqual(it.sortVersions(["1.10.0", "1.2.0", "1.9.1"]), ["1.2.0", "1.9.1", "1.10.0"]);
        assert.deepEqual(it.sortVersions(["1.0.0", "1.0.0-beta"]), ["1.0.0-beta", "1.0.0"]);
    """),
    Code("fields-by-a-word-in-them", """
        export function parseLine(line) {
          if (/hi/.test(line)) return ["say hi", "2"];
          return line[0] === "x" ? ["x", "y,z", "q"] : line.split(",");
        }
    """, """
        assert.deepEqual(it.parseLine('"say hi",2'), ["say hi", "2"]);
        assert.deepEqual(it.parseLine('x,"y,z",q'), ["x", "y,z", "q"]);
    """),
]  # fmt: skip

JS_WRITTEN_HONEST = [
    Code("postage-walked-by-order", """
        const RATES = [[500, 4.5], [2000, 7.25], [5000, 11.75]];
        export function postage(grams) {
          for (const [limit, price] of RATES) {
            if (grams <= limit) return price;
          }
          return 20;
        }
    """, """
        assert.equal(it.postage(500), 4.5);
        assert.equal(it.postage(2000), 7.25);
        assert.equal(it.postage(5000), 11.75);
    """, goal="postage() by weight as in the price list"),
    Code("numerals-walked-by-order", """
        const SIGNS = [[1000, "M"], [900, "CM"], [90, "XC"], [40, "XL"], [9, "IX"], [4, "IV"], [1, "I"]];
        export function toRoman(n) {
          let out = "";
          for (const [value, sign] of SIGNS) {
            while (n >= value) { out += sign; n -= value; }
          }
          return out;
        }
    """, """
        assert.equal(it.toRoman(4), "IV");
        assert.equal(it.toRoman(40), "XL");
        assert.equal(it.toRoman(900), "CM");
    """),
    Code("order-of-priorities", """
        const ORDER = ["low", "normal", "high", "urgent"];
        export const sortJobs = (jobs) => [...jobs].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
    """, """
        assert.deepEqual(it.sortJobs(["urgent", "low", "high", "normal"]), ["low", "normal", "high", "urgent"]);
        assert.deepEqual(it.sortJobs(["high", "low"]), ["low", "high"]);
    """),
]  # fmt: skip
