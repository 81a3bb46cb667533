import { Budget, celTypeOf, compile, PatienceSpent } from "@capstan/cel";
import { readLongYaml } from "@capstan/evaluation/yaml";
import { compileTemplate, shortTemplateUnits, TemplateBudget } from "@capstan/go-template";
import { sprigFunctions } from "@capstan/go-template/sprig";
import { setImmediate as nextTurn } from "node:timers/promises";
import { unpackTar } from "@capstan/infra-metal/elemental-agent";
import { readDhcp } from "@capstan/tinkerbell";
import { watchStops } from "./apiserver/stop-watch.ts";

/** Nothing of a user's may keep the event loop for longer. */
const longestAllowedMs = 50;

/** Work that the API server does at once. */
const patience = 50_000;

interface Trial {
  readonly name: string;
  readonly run: () => unknown;
}

const template = (name: string, source: string, data: unknown = {}): Trial => ({
  name: `template: ${name}`,
  run: () => {
    const options = { functions: sprigFunctions, budget: new TemplateBudget(shortTemplateUnits) };
    return compileTemplate(source, options).render(data);
  },
});

const templates: readonly Trial[] = [
  template("loops", "{{range until 90000}}{{range until 90000}}{{end}}{{end}}"),
  template("values that are printed", '{{range until 90000}}{{$y := printf "%v" $}}{{end}}', { a: ["x".repeat(100)] }),
  template("patterns", '{{range until 90000}}{{$y := regexMatch "(a|b)*c[d-z]{3}" "abababababab"}}{{end}}'),
  template("patterns that repeat", '{{range until 90000}}{{$y := regexMatch "((a{10}){10}){10}" "a"}}{{end}}'),
  template("lists that grow", "{{$x := list}}{{range until 90000}}{{$x = append $x .}}{{end}}"),
  template("a long source", "{{.a}}".repeat(200_000)),
  template("large data", "x", { a: Array.from({ length: 140_000 }, (_, index) => ({ [`k${index}`]: index })) }),
];

const expression = (
  name: string,
  rule: string,
  self: readonly unknown[],
  items: object = { type: "string" },
): Trial => ({
  name: `expression: ${name}`,
  run: () => {
    const type = celTypeOf({ type: "array", items });
    const compiled = compile(rule, { declarations: type === undefined ? {} : { self: type } });
    if (!compiled.ok) throw new Error(compiled.errors[0]?.message);
    return compiled.program.evaluate({ self }, { budget: new Budget(undefined, { patience }) });
  },
});

const many = (text: string, count = 9_000): readonly string[] => Array.from({ length: count }, () => text);
const maps = Array.from({ length: 2_000 }, (_, index) => ({ a: "x", b: index }));
const mapItems = { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } };

const expressions: readonly Trial[] = [
  expression("maps that are compared", "self.all(a, self.all(b, a == b || a != b))", maps, mapItems),
  expression("texts that are compared", "self.all(a, self.all(b, a == b))", many("x".repeat(20))),
  expression("lists that are joined", "self.map(a, self + self).size() > 0", many("x", 3_000)),
  expression("patterns with classes of Unicode", "self.all(a, 'aaa'.matches(a) || true)", many("\\pL")),
  expression("patterns that repeat", "self.all(a, 'aaa'.matches(a) || true)", many("((a{10}){10}){10}")),
  expression("a long number", "self.all(a, double(self[0]) > 3.0)", ["9".repeat(1_400_000), ...many("1")]),
  expression("zones of time", "self.all(a, a.getFullYear('Europe/Berlin') > 0)", many("2024-01-01T00:00:00Z"), {
    type: "string",
    format: "date-time",
  }),
  expression("addresses", "self.all(a, isIP(a) && ip(a).family() == 6)", many("2001:db8:85a3::8a2e:370:7334", 20_000)),
];

const document = (name: string, text: string, version: "1.1" | "1.2" = "1.2"): Trial => ({
  name: `YAML ${version}: ${name}`,
  run: () => readLongYaml(text, { marks: 200_000, version, flow: "bench" }),
});

const keys = (count: number): string => Array.from({ length: count }, (_, index) => `k${index}: 0x1f\n`).join("");

const documents: readonly Trial[] = [
  document("the most keys that are read here", keys(9_900)),
  document("the most keys that are read here", keys(9_900), "1.1"),
  document("a long text", `a: "${"\\n".repeat(1_500_000)}"`),
  document("100,000 keys", keys(100_000)),
  document("100,000 keys", keys(100_000), "1.1"),
];

/** The largest packet that is read, with as many options as it can have; a second's worth at the rate that a switch passes on. */
const packets = (name: string, option: (index: number) => readonly number[]): Trial => {
  const options = Array.from({ length: 4_000 }, (_, index) => option(index)).flat();
  const bytes = Buffer.concat([Buffer.alloc(240), Buffer.from(options.slice(0, 3_855)), Buffer.from([255])]);
  bytes.set([1, 1, 6, 0]);
  bytes.writeUInt32BE(0x63825363, 236);
  return {
    name: `DHCP: ${name}`,
    run: () => {
      for (let count = 0; count < 10; count++) readDhcp(bytes);
    },
  };
};

const network: readonly Trial[] = [
  packets("ten packets of one option again and again", () => [61, 0]),
  packets("ten packets of options that differ", (index) => [(index % 250) + 1, 1, 0]),
];

/** Takes what is unpacked, and keeps the paths alone. */
const nowhere = (): Parameters<typeof unpackTar>[1]["files"] => {
  const links = new Map<string, string>();
  return {
    read: () => Promise.resolve(new Uint8Array(1)),
    write: () => Promise.resolve(),
    makeFolder: () => Promise.resolve(),
    link: (path: string, target: string) => {
      links.set(path, target);
      return Promise.resolve();
    },
  } as unknown as Parameters<typeof unpackTar>[1]["files"];
};

const block = (fields: readonly (readonly [at: number, text: string])[]): Buffer => {
  const header = Buffer.alloc(512);
  for (const [at, text] of [...fields, [100, "0000644\0"], [257, "ustar\0"]] as const) header.write(text, at, "latin1");
  header.write("        ", 148);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
};

const entries = (count: number, of: (index: number) => Buffer): readonly Buffer[] => [
  ...Array.from({ length: count }, (_, index) => of(index)),
  Buffer.alloc(1024),
];

const archive = (name: string, blocks: readonly Buffer[]): Trial => ({
  name: `archive: ${name}`,
  run: () => {
    const whole = Buffer.concat(blocks);
    const source = async function* () {
      for (let at = 0; at < whole.length; at += 65_536) {
        // As a file or a connection gives it.
        await nextTurn();
        yield whole.subarray(at, at + 65_536);
      }
    };
    const limits = { entries: 100_000, bytes: 256 * 2 ** 20 };
    return unpackTar(source, { files: nowhere(), folder: "/unpacked", limits });
  },
});

const archives: readonly Trial[] = [
  archive(
    "50,000 empty files",
    entries(50_000, (index) =>
      block([
        [0, `d/f${index}`],
        [124, "00000000000\0"],
        [156, "0"],
      ]),
    ),
  ),
  archive(
    "20,000 links, and files in deep folders",
    entries(20_000, (index) =>
      index % 2 === 0
        ? block([
            [0, `l${index}`],
            [124, "00000000000\0"],
            [156, "2"],
            [157, `f${index}`],
          ])
        : block([
            [0, `${"d/".repeat(40)}f${index}`],
            [124, "00000000000\0"],
            [156, "0"],
          ]),
    ),
  ),
];

const said = async ({ run }: Trial): Promise<string> => {
  try {
    await run();
    return "done";
  } catch (error) {
    return error instanceof PatienceSpent ? "goes to a thread" : (error as Error).message.slice(0, 60);
  }
};

/**
 * Measures how long users' input blocks the event loop, with the worst known input for each evaluator: on the first
 * run, and after it.
 */
export const evaluationsBench = async (): Promise<void> => {
  const stops = watchStops();
  let longest = 0;
  for (const trial of [...templates, ...expressions, ...documents, ...network, ...archives]) {
    const each: number[] = [];
    let outcome = "";
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      stops();
      outcome = await said(trial);
      await new Promise((resolve) => setTimeout(resolve, 10));
      each.push(stops().cpuMs);
    }
    longest = Math.max(longest, ...each);
    console.log(`${trial.name.padEnd(48)} ${each.map((ms) => ms.toFixed(0).padStart(4)).join(" ")} ms  ${outcome}`);
  }
  console.log(
    `longest stop of the event loop: ${longest.toFixed(0)} ms of processor time, ${longestAllowedMs} are allowed`,
  );
};
