import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const text = (file: string): string => readFileSync(join(root, file), "utf8");

/** The comment at the top, as one line for each field. */
const head = (file: string): string =>
  text(file)
    .split(/^[^#]/m, 1)[0]!
    .replaceAll(/\n# {10,}/g, " ");

const examples = globSync("examples/**/*.yaml", { cwd: root }).toSorted();
/** Of what `capstan new provider` writes. */
const begun = globSync("apps/cli/templates/*/example/cluster.yaml", { cwd: root }).toSorted();
const templates = globSync("packages/infra-*/templates/*.yaml", { cwd: root }).toSorted();

/** USD a month in us-ord, as https://api.linode.com/v4/linode/types and /v4/nodebalancers/types list them. */
const prices: Readonly<Record<string, number>> = { "g6-standard-1": 12, "g6-standard-2": 24 };
const nodeBalancer = 10;

/** What the machines of an example on Linode cost, by the templates and Machines that name their types. */
const monthly = (file: string): number => {
  const documents = text(file).split(/^---\n/m);
  const typeOf = (name: string): string =>
    /type: \$\{\w+:=(\S+)\}/.exec(
      documents.find((each) => /^kind: LinodeMachine/m.test(each) && each.includes(`\n  name: ${name}\n`)) ?? "",
    )?.[1] ?? "";
  return documents
    .filter((each) => /^kind: (?:\w+ControlPlane|MachineDeployment|Machine)$/m.test(each))
    .reduce((sum, each) => {
      const [, name = ""] = /kind: LinodeMachine(?:Template)?\n +name: (\S+)/.exec(each) ?? [];
      const replicas = Number(/^ {2}replicas: (\d+)$/m.exec(each)?.[1] ?? 1);
      return sum + replicas * (prices[typeOf(name)] ?? Number.NaN);
    }, nodeBalancer);
};

describe("what is published", () => {
  it.each([...examples, ...templates, ...begun])("%s says what it needs and what it costs", (file) => {
    expect(head(file)).toMatch(/^# Needs: +\S.{40}/m);
    expect(head(file)).toMatch(
      /^# Costs: +(?:.*\d+ USD a month.*https:\/\/|what the (?:machines|hosts|servers).* cost you)/m,
    );
  });

  it.each(examples.filter((file) => file.startsWith("examples/linode/")))("%s costs what it says", (file) => {
    expect(head(file)).toContain(`# Costs:                            ${monthly(file)} USD a month in us-ord`);
  });

  it.each([...examples, ...templates, ...begun])(
    "%s has the version of Kubernetes in objects alone, and not in commands",
    (file) => {
      const commands = text(file)
        .split("\n")
        .filter(
          (line) => !/^\s*(?:#|version: |- --|image: )/.test(line) && !/flannel|kube-vip|CNI_MANIFEST/.test(line),
        );
      expect(commands.filter((line) => /\bv1\.\d+\.\d+|\$\{KUBERNETES_VERSION/.test(line))).toEqual([]);
    },
  );

  it.each([...examples, ...templates, ...begun])(
    "%s brings the cloud controller that its kubelets wait for",
    (file) => {
      const all = text(file);
      const waits = /name: cloud-provider\n +value: external|cloud-provider: external/.test(all);
      expect(!waits || /cloud-controller-manager:v|cloud-node-manager:v/.test(all)).toBe(true);
    },
  );
});
