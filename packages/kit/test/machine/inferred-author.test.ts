import { infraClusterStatus, infraMachineStatus } from "@capstan/contract/v1";
import { absent, infraMachine, present } from "@capstan/kit/machine";
import { kind, object, optional, string } from "@capstan/schema";
import { expect, it } from "vitest";

const names = { group: "infrastructure.cluster.x-k8s.io", version: "v1alpha1", description: "Of a test." } as const;
const TestCluster = kind({
  ...names,
  kind: "TestCluster",
  plural: "testclusters",
  spec: object({ region: optional(string({ description: "Where it is." })) }),
  status: infraClusterStatus({}),
});
const TestMachine = kind({
  ...names,
  kind: "TestMachine",
  plural: "testmachines",
  spec: object({ size: optional(string({ description: "How large it is." })) }),
  status: infraMachineStatus({}),
});

interface Server {
  readonly id: string;
}

interface Api {
  readonly start: (id: string) => Promise<void>;
  readonly list: () => Promise<readonly Server[]>;
}

const api: Api = { start: async () => undefined, list: async () => [] };

const author = {
  kind: TestMachine,
  clusterKind: TestCluster,
  finalizer: "test/machine",
  observe: async () => absent(),
  create: async () => undefined,
  remove: async () => undefined,
};

it("infers the kinds, the api, the items and the names of steps from one object", () => {
  const machines = infraMachine({
    ...author,
    connect: (): Api => api,
    observe: async ({ item }: { readonly item: Server | undefined }) =>
      item === undefined ? absent() : present({ handle: item.id }),
    inventory: { list: ({ api: open }) => open.list(), tagsOf: ({ id }) => [id], pollMs: 1, settledPollMs: 1 },
    credentialsRef: ({ object: machine, infraCluster }) =>
      machine.spec.size === infraCluster?.spec.region ? undefined : { name: "token" },
    steps: { boot: ({ api: open, handle }) => open.start(handle) },
    making: ["create", "boot"],
  });
  expect(machines.name).toBe("testmachine");
});

it("takes no name of a step that there is not", () => {
  const machines = infraMachine({
    ...author,
    steps: { boot: async () => undefined },
    // @ts-expect-error The step is `boot`.
    making: ["reboot"],
  });
  expect(machines.name).toBe("testmachine");
});
