import { MachineResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { isLabelValue } from "@capstan/kube-values";
import type { ProviderV1 } from "@capstan/contract/v1";
import { apiVersionOf, isKind, type KubeObject, type Resource } from "@capstan/schema";
import { spelledMarks } from "./marks.ts";
import { namedThings } from "./named-things.ts";
import { answerOf, type Attempt, isUsedByMachine, machineFor, startOf, type WithSchema } from "./tenant.ts";
import { canary } from "./teams.ts";
import type { Wanted } from "./their-values.ts";

/** What the sources mean by the names of constants in the marks that they spell. */
const constants: Readonly<Record<string, readonly string[]>> = {
  "${domain}": ["cluster.x-k8s.io", "v1alpha1.tinkerbell.org"],
  "${machineDomain}": ["capt.tinkerbell.org"],
  "${host}": ["elementalhost.infrastructure.cluster.x-k8s.io"],
  "${registration}": ["elementalregistration.infrastructure.cluster.x-k8s.io"],
  "${Group.controlPlane}": ["controlplane.cluster.x-k8s.io"],
};

const spelledOut = (mark: string): readonly string[] => {
  const [constant, values] = Object.entries(constants).find(([each]) => mark.includes(each)) ?? [];
  if (constant === undefined || values === undefined) return [mark];
  return values.map((value) => mark.replace(constant, value));
};

/** Every annotation and label that names something, as users write it. */
export const namingMarks = (): readonly string[] => {
  const things = namedThings("named-marks.txt");
  const isNaming = (mark: string): boolean => things.find(({ holds }) => holds("", mark))?.class !== "harmless";
  const marks = spelledMarks().filter(isNaming).flatMap(spelledOut);
  const unknown = marks.filter((mark) => mark.includes("$"));
  if (unknown.length > 0) throw new Error(`say in constants what is meant by ${unknown.join(", ")}`);
  return marks;
};

const record = { store: "team-b/theirs", stores: ["team-b/theirs"], storeType: "s3", key: "theirs" };

/** What says that something of team-b's is meant. The first that fits holds. */
const values: readonly (readonly [RegExp, string])[] = [
  [/\/holds$/, JSON.stringify([{ kind: "Secret", namespace: "team-b", name: "theirs" }])],
  [/stored-bootstrap-report$/, JSON.stringify({ ...record, channels: ["upload"], expires: "2030-01-01T00:00:00Z" })],
  [/bootstrap-delivery$/, JSON.stringify({ ...record, route: "pointer", sizeBytes: 1, deliveredBytes: 1 })],
  [
    /infra-cluster$/,
    JSON.stringify({ name: "theirs", spec: { credentialsRef: { name: "theirs", namespace: "team-b" } } }),
  ],
  [/operations$/, JSON.stringify([{ id: "theirs", verb: "create", step: "create" }])],
  [/(adopt|trusted-ids)$/, "true"],
  [/groupkind$/, "LinodeMachineTemplate.infrastructure.cluster.x-k8s.io"],
  [/kind$/i, "LinodeMachine"],
  [/namespace$/i, "team-b"],
  [/(object-store|defaulted-from|claimed-by|hardware|template-override|user-data-secret)$/, "team-b/theirs"],
];

const valueOf = (mark: string, theirs: Readonly<Record<string, string>>): string =>
  theirs[mark] ?? values.find(([at]) => at.test(mark))?.[1] ?? "theirs";

/** An object of team-b's as someone would copy it who has a cluster and credentials of their own in team-a. */
const copied = (theirs: KubeObject): object => {
  const text = JSON.stringify(theirs["spec" as keyof KubeObject] ?? {});
  return JSON.parse(
    text.replaceAll(canary, "own").replaceAll("theirs", "ours").replaceAll("team-b", "team-a"),
  ) as object;
};

interface Marked {
  readonly name: string;
  readonly how: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** The same marks in each place, with the tenant's own cluster and with team-b's, and on an object that is called as team-b's. */
const variants = (name: string, marks: readonly string[], theirs: KubeObject | undefined): readonly Marked[] => {
  const { annotations: known = {}, labels: knownLabels = {} } = theirs?.metadata ?? {};
  const annotations = Object.fromEntries(marks.map((mark) => [mark, valueOf(mark, { ...knownLabels, ...known })]));
  const labels = Object.fromEntries(
    Object.entries(annotations)
      .map(([mark, value]) => [mark, isLabelValue(value) ? value : "theirs"] as const)
      .filter(([mark]) => !mark.endsWith("-")),
  );
  const ours = { "cluster.x-k8s.io/cluster-name": "ours" };
  return [
    { name: `t-${name}-a`, how: "annotations", annotations, labels: ours },
    { name: `t-${name}-l`, how: "labels", annotations: {}, labels: { ...labels, ...ours } },
    { name: `t-${name}-t`, how: "labels with their cluster", annotations, labels },
    ...(theirs === undefined
      ? []
      : [{ name: theirs.metadata.name ?? "", how: "their name", annotations: known, labels: ours }]),
  ];
};

/** Writes objects of every kind that bear everything by which controllers find things, with what is team-b's in it. */
export const tryMarks = async (
  { admin, tenant }: { readonly admin: Client; readonly tenant: Client },
  providers: readonly ProviderV1[],
  wanted: Wanted,
  isTried: (index: number) => boolean,
): Promise<readonly Attempt[]> => {
  const marks = namingMarks().filter((mark) => !mark.endsWith("-"));
  const attempts: Attempt[] = [];
  const kinds: readonly Resource[] = providers.flatMap((provider) => provider.kinds);
  for (const [index, kind] of kinds.entries()) {
    if (!kind.namespaced || !isKind(kind) || !isTried(index)) continue;
    const [theirs] = (await admin.list<KubeObject>(kind, { namespace: "team-b" })).items;
    const spec = theirs === undefined ? startOf(kind as WithSchema, wanted)["spec"] : copied(theirs);
    for (const { annotations, how, labels, name } of variants(`m${index}`, marks, theirs)) {
      const metadata = { namespace: "team-a", name, annotations, labels };
      const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec };
      const answer = await answerOf(tenant.create(kind, object));
      attempts.push({ field: `${kind.kind} ${how}`, guard: "marks", answer });
      if (answer !== "taken" || !isUsedByMachine(kind)) continue;
      await tenant.create(MachineResource, machineFor(kind, name)).catch(() => undefined);
    }
  }
  return attempts;
};
