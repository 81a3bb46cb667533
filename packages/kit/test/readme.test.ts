import type { Secret } from "@capstan/contract";
import {
  type BootstrapDelivery,
  type DeliveryRoute,
  infraClusterStatus,
  infraMachineStatus,
} from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { userDataRoutes } from "@capstan/kit/delivery";
import { absent, externalIP, infraMachine, pending, present } from "@capstan/kit/machine";
import { joinedNode, uploadedReport } from "@capstan/kit/machine";
import type { BootstrapReport, InfraMachineAuthor } from "@capstan/kit/machine";
import { boolean, kind, object as fields, optional, string } from "@capstan/schema";
import { expect, it } from "vitest";

const group = "infrastructure.cluster.x-k8s.io";
const secretRef = fields(
  { name: string({ description: "Name of a Secret.", maxLength: 253 }) },
  { description: "Where the token is." },
);
const AcmeCluster = kind({
  group,
  version: "v1alpha1",
  kind: "AcmeCluster",
  plural: "acmeclusters",
  description: "A cluster at Acme.",
  spec: fields({}),
  status: infraClusterStatus({}),
});
const AcmeMachine = kind({
  group,
  version: "v1alpha1",
  kind: "AcmeMachine",
  plural: "acmemachines",
  description: "A server at Acme.",
  spec: fields({
    size: string({ description: "Its size.", maxLength: 64 }),
    agent: optional(boolean({ description: "Whether an agent runs on it." })),
    credentialsRef: optional(secretRef),
  }),
  status: infraMachineStatus({}),
});
type AcmeMachine = typeof AcmeMachine.Type;

interface AcmeServer {
  readonly id: string;
  readonly state: "stopped" | "booting" | "running";
  readonly ips: readonly string[];
}
interface AcmeApi {
  find(tag: string, call: object): Promise<AcmeServer | undefined>;
  create(
    server: { readonly tag: string; readonly size: string; readonly userData: string },
    call: object,
  ): Promise<void>;
  boot(id: string, call: object): Promise<void>;
  remove(id: string, call: object): Promise<void>;
  bootVerdict(id: string, call: object): Promise<BootstrapReport | undefined>;
  serialConsole(id: string, call: object): Promise<string | undefined>;
}
const acmeApi = (_token?: Secret<string>): AcmeApi => expect.fail("nothing is asked of the cloud here");

const acmeMachine = infraMachine({
  kind: AcmeMachine,
  clusterKind: AcmeCluster,
  finalizer: "infrastructure.acme.example/machine",
  credentialsRef: ({ object }) => object.spec.credentialsRef,
  connect: ({ credentials }) => acmeApi(credentials?.required("token")),
  observe: async ({ api, identity, call }) => {
    const server = await api.find(identity.tag, call);
    if (server === undefined) return absent();
    const facts = { handle: server.id, providerID: `acme://${server.id}`, status: { instanceState: server.state } };
    if (server.state === "stopped") return pending({ ...facts, reason: "Stopped", step: "boot" });
    if (server.state !== "running") return pending({ ...facts, reason: "Booting", pollMs: 10_000 });
    return present({ ...facts, addresses: server.ips.map(externalIP) });
  },
  create: async ({ api, object, identity, bootstrap, call }) => {
    const { base64 } = await bootstrap.deliver(userDataRoutes({ limitBytes: 16_384, gzip: true }));
    await api.create({ tag: identity.tag, size: object.spec.size, userData: base64 }, call);
  },
  steps: { boot: ({ api, handle, call }) => api.boot(handle, call) },
  remove: ({ api, handle, call }) => api.remove(handle, call),
});

export const createAcmeProvider = () =>
  defineProvider({ name: "infra-acme", kinds: [AcmeMachine], register: (host) => host.add(acmeMachine) });

it("the README's quick start is a provider", () => {
  const added: string[] = [];
  createAcmeProvider().register({ add: ({ name }) => void added.push(name) });
  expect(added).toEqual(["acmemachine"]);
});

const region = { capabilities: ["StackScripts"] };
const scriptData = (bytes: Uint8Array): object => ({ userdata: Buffer.from(bytes).toString("base64") });

const userDataOf = async (bootstrap: BootstrapDelivery): Promise<object> => {
  const stackScript: DeliveryRoute<"stackscript", { readonly stackscript_data: object }> = {
    name: "stackscript",
    limitBytes: 65_535,
    measure: ({ bytes }) => JSON.stringify(scriptData(bytes)).length,
    unavailable: () => (region.capabilities.includes("Metadata") ? "the region serves metadata" : undefined),
    deliver: ({ bytes }) => ({ stackscript_data: scriptData(bytes) }),
  };
  const delivered = await bootstrap.deliver([...userDataRoutes({ limitBytes: 16_384 }), stackScript]);
  const body = delivered.route === "stackscript" ? delivered.stackscript_data : { user_data: delivered.base64 };
  return body;
};

it("the README's own route comes after those of user-data", async () => {
  const asked: string[] = [];
  const deliver = async (routes: readonly DeliveryRoute[]) => {
    asked.push(...routes.map(({ name }) => name));
    return { route: "direct", base64: "e30=" };
  };
  expect(await userDataOf({ deliver } as unknown as BootstrapDelivery)).toEqual({ user_data: "e30=" });
  expect(asked.at(-1)).toBe("stackscript");
  expect(asked[0]).toBe("direct");
});

const reporting: Pick<InfraMachineAuthor<AcmeMachine, AcmeApi>, "report"> = {
  report: {
    channels: [
      uploadedReport(),
      {
        name: "agent",
        isAvailable: ({ object }) => object.spec.agent === true,
        read: ({ api, handle, call }) => api.bootVerdict(handle, call),
      },
      joinedNode(),
    ],
    consoleLog: ({ api, handle, call }) => api.serialConsole(handle, call),
  },
};

it("the README's channels have names that a user can choose", () => {
  expect(reporting.report?.channels.map(({ name }) => name)).toContain("agent");
});
