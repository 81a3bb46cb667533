import { describe, expect, it } from "vitest";
import { Authorizer, authorizerType, compile, string } from "../src/index.ts";
import type { AuthorizationQuery, Evaluated } from "../src/index.ts";

const evaluate = (source: string): Evaluated => {
  const compiled = compile(source, { declarations: {} });
  if (!compiled.ok) throw new Error(compiled.errors[0]!.message);
  return compiled.program.evaluate({});
};

/** Documented examples of the Kubernetes libraries. All are true. */
const examples: Readonly<Record<string, readonly string[]>> = {
  lists: [
    "[1, 2, 3].isSorted() && !['b', 'a'].isSorted() && [].isSorted()",
    "[1, 3].sum() == 4 && [1.5, 2.5].sum() == 4.0 && ['1s', '2s'].map(d, duration(d)).sum() == duration('3s')",
    "[1, 3].max() == 3 && ['a', 'b'].min() == 'a'",
    "[1, 2, 2, 3].indexOf(2) == 1 && [1, 2, 2, 3].lastIndexOf(2) == 2 && ['a'].indexOf('b') == -1",
    "[3, 1, 2].sort() == [1, 2, 3] && [1, 2, 3].reverse() == [3, 2, 1] && [1, 1, 2].distinct() == [1, 2]",
    "[[1], [2, 3]].flatten() == [1, 2, 3] && [1, 2, 3, 4].slice(1, 3) == [2, 3] && lists.range(3) == [0, 1, 2]",
    "[{'n': 'b'}, {'n': 'a'}].sortBy(e, e.n)[0].n == 'a'",
    "[1, 2].first().value() == 1 && [1, 2].last().value() == 2 && ![].first().hasValue()",
  ],
  regex: [
    "'abc 123'.find('[0-9]+') == '123' && 'abc'.find('[0-9]+') == ''",
    "'123 abc 456'.findAll('[0-9]+') == ['123', '456'] && '1 2 3'.findAll('[0-9]', 2) == ['1', '2']",
    "'foobar'.matches('o+b') && !'a\\nb'.matches('a.b')",
  ],
  url: [
    "url('https://example.com:80/path?k=v&k=w').getHost() == 'example.com:80'",
    "url('https://example.com:80/').getHostname() == 'example.com' && url('https://[::1]:80/').getHostname() == '::1'",
    "url('https://example.com:80/').getPort() == '80' && url('https://example.com/').getPort() == ''",
    "url('https://example.com/path with spaces/').getEscapedPath() == '/path%20with%20spaces/' || !isURL('https://example.com/path with spaces/')",
    "url('https://e.com/?k1=a&k2=b&k2=c').getQuery()['k2'] == ['b', 'c']",
    "isURL('/absolute/path') && !isURL('relative/path') && !isURL('https://a:b:c/') && !isURL('')",
  ],
  quantity: [
    "quantity('1.5Mi') == quantity('1536Ki') && isQuantity('20') && !isQuantity('20x') && !isQuantity('1 k')",
    "quantity('50k').add(quantity('20k')) == quantity('70k') && quantity('50k').sub(20000) == quantity('30k')",
    "quantity('200M').compareTo(quantity('0.2G')) == 0 && quantity('150Mi').isGreaterThan(quantity('100Mi'))",
    "quantity('50M').isInteger() && quantity('50M').asInteger() == 50000000 && !quantity('1.5').isInteger()",
    "quantity('-1k').sign() == -1 && quantity('50.703k').asApproximateFloat() == 50703.0 && quantity('1e3') == quantity('1k')",
  ],
  network: [
    "isIP('192.168.0.1') && isIP('::1') && !isIP('192.168.0.01') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0')",
    "ip('192.168.0.1').family() == 4 && ip('::1').family() == 6 && ip('::1') == ip('0:0:0:0:0:0:0:1')",
    "ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD') && string(ip('2001:DB8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1'",
    "ip('127.0.0.1').isLoopback() && ip('0.0.0.0').isUnspecified() && ip('169.254.1.1').isLinkLocalUnicast()",
    "ip('224.0.0.1').isLinkLocalMulticast() && ip('8.8.8.8').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()",
    "cidr('192.168.0.0/24').containsIP('192.168.0.7') && !cidr('192.168.0.0/24').containsIP(ip('192.168.1.7'))",
    "cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24') && !cidr('192.168.10.0/24').containsCIDR('192.168.0.0/16')",
    "cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24') && cidr('::1/128').prefixLength() == 128",
    "string(cidr('10.0.0.1/8').ip()) == '10.0.0.1' && isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0')",
  ],
  sets: [
    "sets.contains([1, 2, 3], [3, 2]) && !sets.contains([1], [2]) && sets.contains([], [])",
    "sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [2])",
  ],
  format: [
    "!format.dns1123Label().validate('contains-a-good-name').hasValue()",
    "format.dns1123Label().validate('Bad_Name').hasValue() && format.dns1123Label().validate('x'.replace('x', 'xxxxxxxxxx')).hasValue() == false",
    "format.named('date').value().validate('2024-02-30').hasValue() && !format.named('nope').hasValue()",
    "!format.qualifiedName().validate('example.com/name').hasValue() && format.labelValue().validate('a b').hasValue()",
    "!format.dns1123LabelPrefix().validate('abc-').hasValue() && !format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue()",
    "format.byte().validate('a').value().size() == 1 && !format.datetime().validate('2024-01-01T00:00:00Z').hasValue()",
  ],
  semver: [
    "isSemver('1.2.3') && !isSemver('v1.2.3') && isSemver('v1.2', true) && !isSemver('1.02.3')",
    "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
    "semver('1.2.3').isGreaterThan(semver('1.2.3-rc.1')) && semver('1.2.3-rc.2').isLessThan(semver('1.2.3-rc.10'))",
    `!isSemver('1.2.${"9".repeat(400)}') && isSemver('1.2.18446744073709551615')`,
    `semver('1.0.0-9${"1".repeat(400)}').isLessThan(semver('1.0.0-1${"9".repeat(401)}'))`,
    `semver('1.0.0-2${"1".repeat(400)}').isGreaterThan(semver('1.0.0-1${"9".repeat(400)}'))`,
    "semver('v01.01', true).compareTo(semver('1.1.0')) == 0 && semver('1.0.0+a') == semver('1.0.0+b')",
  ],
  strings: [
    "'%s has %d of %.2f'.format([dyn('x'), 3, 1.5]) == 'x has 3 of 1.50'",
    "'TacoCat'.lowerAscii() == 'tacocat' && ' a '.trim() == 'a' && 'a,b'.split(',') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b'",
    'strings.quote(\'a\\n"b"\') == \'"a\\\\n\\\\"b\\\\""\'',
  ],
  bind: ["cel.bind(x, 2, x * x) == 4 && optional.of(2).optMap(v, v + 1).value() == 3"],
  comprehensions: [
    "[1, 2].all(i, v, i + 1 == v) && {'a': 1}.exists(k, v, k == 'a' && v == 1)",
    "[4, 5].transformList(i, v, i * v) == [0, 5] && {'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 10) == {'b': 20}",
    "{'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'}",
  ],
};

describe.each(Object.entries(examples))("%s", (_, sources) => {
  it.each([...sources])("%s", (source) => {
    expect(evaluate(source)).toMatchObject({ ok: true, value: true });
  });
});

describe("failing library calls", () => {
  it.each([
    "quantity('x').sign() == 1",
    "ip('300.0.0.1').family() == 4",
    "cidr('10.0.0.0').prefixLength() == 1",
    "semver('1').major() == 1",
    "url('relative').getHost() == ''",
    "['a', 'b'].map(x, dyn(x)).sum() == 1",
    "[].max() == dyn(1)",
    "quantity('1.5').asInteger() == 1",
  ])("%s", (source) => {
    expect(evaluate(source)).toMatchObject({ ok: false, error: { kind: "evaluation" } });
  });
});

describe("authorizer", () => {
  const asked: AuthorizationQuery[] = [];
  const authorizer = new Authorizer((query) => {
    asked.push(query);
    return { allowed: query.verb === "get", reason: "because" };
  });
  const run = (source: string): Evaluated => {
    const compiled = compile(source, { declarations: { authorizer: authorizerType } });
    if (!compiled.ok) throw new Error(compiled.errors[0]!.message);
    return compiled.program.evaluate({ authorizer });
  };

  it("asks what the expression spells out", () => {
    const source =
      "authorizer.serviceAccount('n', 's').group('apps').resource('deployments').subresource('scale').namespace('d').name('x').check('get').allowed()";
    expect(run(source)).toMatchObject({ ok: true, value: true });
    expect(asked.at(-1)).toEqual({
      group: "apps",
      resource: "deployments",
      subresource: "scale",
      namespace: "d",
      name: "x",
      verb: "get",
      serviceAccount: { namespace: "n", name: "s" },
    });
    expect(run("authorizer.path('/healthz').check('post').reason() == 'because'")).toMatchObject({ value: true });
  });

  it("affords two checks for one expression", () => {
    const check = "authorizer.path('/a').check('post').allowed()";
    expect(run(`${check} || ${check}`)).toMatchObject({ ok: true });
    expect(run(`${check} || ${check} || ${check}`)).toMatchObject({ ok: false, error: { kind: "budget" } });
  });
});

it("trims a long text in a moment", () => {
  const compiled = compile("text.trim() == text", { declarations: { text: string } });
  if (!compiled.ok) throw new Error(compiled.errors[0]!.message);
  expect(compiled.program.evaluate({ text: `x${" ".repeat(1_000_000)}x` })).toMatchObject({ value: true });
});
