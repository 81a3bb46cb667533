import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { corefileText, parseCorefile, type CorefileServer } from "./corefile.ts";
import { migrateCorefile } from "./migrate-corefile.ts";

/** A server block for all zones with these lines. */
const root = (...lines: readonly string[]): string =>
  [".:53 {", ...lines.map((line) => `    ${line}`), "}", ""].join("\n");

describe("migrateCorefile", () => {
  it.each<[string, string, string, string, string]>([
    [
      "nothing for the same release",
      "1.3.1",
      "v1.3.1",
      root("proxy . /etc/resolv.conf"),
      root("proxy . /etc/resolv.conf"),
    ],
    [
      "nothing, comments included, from 1.8.3 on",
      "1.8.3",
      "1.14.2",
      "# ours\n.:53 {\n  errors\n}\n",
      "# ours\n.:53 {\n  errors\n}\n",
    ],
    [
      "nothing about what it does not know",
      "1.6.7",
      "1.6.9",
      root("mine a b {", "    option 1", "}"),
      root("mine a b {", "    option 1", "}"),
    ],
    [
      "https_google",
      "1.1.3",
      "1.2.0",
      root("proxy example.org 1.2.3.4:53 {", "    protocol https_google", "}"),
      root("proxy example.org 1.2.3.4:53"),
    ],
    [
      "loop",
      "1.1.3",
      "1.2.1",
      root("errors", "forward . /etc/resolv.conf"),
      root("errors", "forward . /etc/resolv.conf", "loop"),
    ],
    [
      "no second loop",
      "1.1.3",
      "1.2.1",
      root("loop", "forward . /etc/resolv.conf"),
      root("loop", "forward . /etc/resolv.conf"),
    ],
    [
      "proxy, and what forward does not know",
      "1.3.1",
      "1.5.0",
      root(
        "loop",
        "proxy . /etc/resolv.conf {",
        "    except a",
        "    spray",
        "    policy least_conn",
        "    protocol dns force_tcp",
        "}",
      ),
      root("loop", "forward . /etc/resolv.conf {", "    except a", "    force_tcp", "}"),
    ],
    [
      "proxy not before it has to",
      "1.3.1",
      "1.4.0",
      root("proxy . /etc/resolv.conf"),
      root("proxy . /etc/resolv.conf"),
    ],
    [
      "stub zones",
      "1.3.1",
      "1.5.2",
      root("proxy a.example 192.0.2.1", "proxy b.example 192.0.2.2", "proxy . /etc/resolv.conf"),
      [
        root("forward . /etc/resolv.conf"),
        ...["a.example {\n    forward . 192.0.2.1", "b.example {\n    forward . 192.0.2.2"].map(
          (text) => `${text}\n    loop\n    errors\n    cache 30\n}\n`,
        ),
      ].join("\n"),
    ],
    [
      "options of kubernetes, ready, lameduck and max_concurrent",
      "1.4.0",
      "1.7.1",
      root(
        "health",
        "kubernetes cluster.local {",
        "    resyncperiod 60s",
        "    endpoint one two",
        "    upstream",
        "    pods insecure",
        "}",
        "forward . /etc/resolv.conf",
      ),
      root(
        "health {",
        "    lameduck 5s",
        "}",
        "kubernetes cluster.local {",
        "    endpoint one",
        "    pods insecure",
        "}",
        "forward . /etc/resolv.conf {",
        "    max_concurrent 1000",
        "}",
        "ready",
      ),
    ],
    [
      "what is set already",
      "1.6.2",
      "1.7.0",
      root("health {", "    lameduck 9s", "}", "forward . 192.0.2.1 {", "    max_concurrent 9", "}"),
      root("health {", "    lameduck 9s", "}", "forward . 192.0.2.1 {", "    max_concurrent 9", "}"),
    ],
    [
      "transfer",
      "1.7.1",
      "1.8.0",
      root("kubernetes cluster.local in-addr.arpa {", "    transfer to *", "    ttl 30", "}"),
      root("kubernetes cluster.local in-addr.arpa {", "    ttl 30", "}", "transfer cluster.local {", "    to *", "}"),
    ],
  ])("changes %s", (_, from, to, text, expected) => {
    expect(migrateCorefile(text, from, to)).toBe(expected);
  });

  it.each([
    ["no braces", "example.org\n", "has no braces"],
    ["a block that does not end", ".:53 {\n errors\n", "no closing brace"],
    ["a plugin that does not end", ".:53 {\n errors {\n", "no closing brace"],
    ["what is nested too deep", ".:53 {\n a {\n b {\n }\n }\n}\n", "nests deeper"],
    ["stub zones of other zones", "a.example {\n proxy b.example 192.0.2.1\n}\n", "split by hand"],
  ])("says why it cannot change %s", (_, text, why) => {
    expect(migrateCorefile(text, "1.3.1", "1.7.0")).toEqual({ problem: expect.stringContaining(why) as unknown });
  });

  it("changes nothing a second time", () => {
    const text = root(
      "errors",
      "health",
      "kubernetes cluster.local {",
      "    upstream",
      "}",
      "proxy . /etc/resolv.conf",
    );
    const once = String(migrateCorefile(text, "1.1.3", "1.14.2"));
    expect(migrateCorefile(once, "1.1.3", "1.14.2")).toBe(once);
  });
});

it("reads what it writes", () => {
  const word = fc.oneof(
    fc.constantFrom("a b", 'say "x"', "", "#x", "{$ENV}", "{", "}"),
    fc.stringMatching(/^[a-z./:*]{1,8}$/),
  );
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  const option = fc.record({ name, args: fc.array(word, { maxLength: 3 }) });
  const plugin = fc.record({
    name,
    args: fc.array(word, { maxLength: 3 }),
    options: fc.array(option, { maxLength: 3 }),
  });
  const server = fc.record({
    keys: fc.array(name, { minLength: 1, maxLength: 2 }),
    plugins: fc.array(plugin, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(server, { maxLength: 3 }), (servers) => {
      expect(parseCorefile(corefileText(servers as readonly CorefileServer[]))).toEqual(servers);
    }),
  );
});
