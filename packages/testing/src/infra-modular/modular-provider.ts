import { Group } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import * as cluster from "@capstan/kit/cluster";
import { inline } from "@capstan/kit/delivery";
import type {
  Handled,
  InfraMachineAuthor,
  MachineObservation,
  MachineVerbContext,
  Operation,
  OperationState,
} from "@capstan/kit/machine";
import { absent, failed, infraMachine, internalIP, pending, present, removing } from "@capstan/kit/machine";
import { isBeingDeleted } from "@capstan/kube-values";
import type { ModularApi } from "./modular-api.ts";
import { modularApi } from "./modular-api.ts";
import type { ModularCloud, ModularKind, ModularResource, ModularTags } from "./modular-cloud.ts";
import { ModularCluster, ModularMachine } from "./modular-kinds.ts";

type Context = MachineVerbContext<ModularMachine, ModularApi>;

/** The order in which the parts of a machine are made; they are deleted in the opposite one. */
const kinds: readonly ModularKind[] = ["card", "disk", "server"];

/** The parts that bear the object's tag; an object that was moved here has another uid, and knows its server. */
const partsOf = async ({
  api,
  call,
  identity,
  object,
}: Context): Promise<Partial<Record<ModularKind, ModularResource>>> => {
  const { key, value } = identity.label;
  const own = await api.list({ [key]: value }, call);
  const moved = own.length > 0 ? undefined : object.spec.providerID?.replace("modular://", "");
  const server = moved === undefined ? [] : (await api.list({}, call)).filter(({ name }) => name === moved);
  return Object.fromEntries([...own, ...server].map((part) => [part.kind, part]));
};

const observe = async (context: Context): Promise<MachineObservation> => {
  const parts = await partsOf(context);
  const { card, disk, server } = parts;
  const handle = context.identity.uid;
  if (isBeingDeleted(context.object)) {
    if (server !== undefined) return removing({ handle, tags: server.tags, step: "delete server" });
    if (disk !== undefined) return removing({ handle, step: "delete disk" });
    return card === undefined ? absent() : pending({ handle, reason: "Deleting" });
  }
  const broken = kinds.find((kind) => parts[kind]?.state === "failed");
  if (broken !== undefined) return pending({ handle, reason: "PartFailed", step: `delete ${broken}` });
  const unfinished = kinds.find((kind) => parts[kind] !== undefined && parts[kind]?.state !== "ready");
  if (unfinished !== undefined) {
    return pending({ handle, reason: "InProgress", message: `the ${unfinished} is not ready` });
  }
  if (server === undefined) {
    if (card === undefined) return absent({ step: "create card" });
    return disk === undefined ? absent({ step: "create disk" }) : absent();
  }
  const facts = { handle, providerID: `modular://${server.name}`, tags: server.tags };
  if (card === undefined) return failed({ ...facts, reason: "CardMissing", message: "the network card was deleted" });
  return present({ ...facts, addresses: card.address === undefined ? [] : [internalIP(card.address)] });
};

const poll = async (context: Context & { readonly operation: Operation }): Promise<OperationState> => {
  const { api, call, operation } = context;
  const known = await api.operation(operation.handle, call);
  if (known === undefined) return { state: "lost" };
  if (known.state !== "failed") return { state: known.state };
  const message = `the cloud could not ${known.action} the ${known.kind} ${known.name}`;
  return { state: "failed", reason: "OperationFailed", message, retry: { kind: "backoff" } };
};

/** The mark of the installation, where it is known. */
const epochTagsOf = ({ epoch }: Context["identity"]): ModularTags =>
  epoch === undefined ? {} : { [epoch.label.key]: epoch.label.value };

type Step = (context: Context & Handled) => Promise<void>;

const createPart =
  (kind: "card" | "disk"): Step =>
  ({ api, call, identity, operations }) =>
    operations.start(kind, () =>
      api.create({ kind, name: identity.uid, tags: { [identity.label.key]: identity.label.value } }, call),
    );

/** Deletes a part; one that is being deleted already needs no operation. */
const deletePart =
  (kind: ModularKind): Step =>
  async (context) => {
    const part = (await partsOf(context))[kind];
    if (part === undefined || part.state === "deleting") return;
    await context.operations.start(kind, () => context.api.delete(kind, part.name, context.call));
  };

/** Machines of three resources: each is made and deleted by an operation of its own. */
const modularMachineAuthor = (cloud: ModularCloud): InfraMachineAuthor<ModularMachine, ModularApi> => ({
  kind: ModularMachine,
  clusterKind: ModularCluster,
  finalizer: `${Group.infrastructure}/modularmachine`,
  connect: () => modularApi(cloud),
  operations: { poll, pollMs: 1000 },
  observe,
  create: async ({ api, bootstrap, call, identity, operations }) => {
    const { bytes: userData } = await bootstrap.deliver([inline({ limitBytes: 65_536 })]);
    const { uid: name, label } = identity;
    const tags = { [label.key]: label.value, ...epochTagsOf(identity) };
    const server = { kind: "server", name, tags, userData } as const;
    await operations.start("server", () => api.create({ ...server, parts: { card: name, disk: name } }, call));
  },
  steps: {
    "create card": createPart("card"),
    "create disk": createPart("disk"),
    "delete card": deletePart("card"),
    "delete disk": deletePart("disk"),
    "delete server": deletePart("server"),
  },
  mark: async (context) => {
    const { server } = await partsOf(context);
    if (server !== undefined) await context.api.tag(server.name, epochTagsOf(context.identity), context.call);
  },
  stages: () => [
    { name: "preparing", reasons: ["CreateCard", "CreateDisk"] },
    { name: "creating", reasons: ["Creating", "InProgress"] },
  ],
  // What a server was made of goes before, in steps.
  remove: deletePart("card"),
});

/** A cluster has nothing here: its endpoint is where the user says. */
const modularCluster = cluster.infraCluster({
  kind: ModularCluster,
  machineKind: ModularMachine,
  finalizer: `${Group.infrastructure}/modularcluster`,
  observe: async ({ object }) =>
    object.metadata.deletionTimestamp === undefined ? cluster.present({}) : cluster.absent(),
  create: async () => undefined,
  remove: async () => undefined,
});

/** An infrastructure provider for the modular cloud. */
export const createModularProvider = (cloud: ModularCloud): ProviderV1 =>
  defineProvider({
    name: "infra-modular",
    kinds: [ModularCluster, ModularMachine],
    register: (host) => {
      host.add(modularCluster);
      host.add(infraMachine(modularMachineAuthor(cloud)));
    },
  });
