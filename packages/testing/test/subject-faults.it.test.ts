import { expect, it } from "vitest";
import type { InfraMachineCloud, SuiteTools } from "../src/conformance.ts";
import { infraMachineConformance } from "../src/conformance.ts";
import { memorySubject } from "../src/subjects.ts";

const ignore = (): void => undefined;

/** Plays one case of the suite with the cloud in memory, changed. */
const play = async (name: string, change: (cloud: InfraMachineCloud) => Partial<InfraMachineCloud>): Promise<void> => {
  const subject = memorySubject();
  const cases = new Map<string, () => Promise<void>>();
  let begin = async (): Promise<void> => undefined;
  let end = async (): Promise<void> => undefined;
  const tools: SuiteTools = {
    describe: (_, define) => define(),
    it: Object.assign((title: string, run: () => Promise<void>) => void cases.set(title, run), { skip: ignore }),
    beforeAll: (run) => {
      begin = run;
    },
    afterAll: (run) => {
      end = run;
    },
  };
  infraMachineConformance(tools, {
    ...subject,
    start: async (environment) => {
      const cloud = await subject.start(environment);
      return { ...cloud, ...change(cloud) };
    },
  });
  await begin();
  try {
    await cases.get(name)?.();
  } finally {
    await end();
  }
};

const duringCreation = "removes what a creation made while the object was deleted";
const throttling = "waits as long as a throttling cloud says";
const whole = "creates one server and fills in the contract";

it("a subject that gives the creation another name is told so, with the names that were heard", async () => {
  const renamed = play(duringCreation, (cloud) => ({
    onCall: (hook) => cloud.onCall?.((call, phase) => hook(call === "create" ? "make" : call, phase)),
  }));
  await expect(renamed).rejects.toThrow(
    /no call named "create" came to the hook of onCall, only: .*before make at the cloud, after make at the cloud/,
  );
  await expect(play(duringCreation, () => ({ onCall: ignore }))).rejects.toThrow(/hook of onCall, only: none/);
});

it("a subject that does not know of two creations is told what to list", async () => {
  const counted = play(throttling, () => ({ creations: () => [1] }));
  await expect(counted).rejects.toThrow(/creations\(\) has 1 of at least two/);
});

it("a subject that counts the servers of all machines is told to count by uid", async () => {
  await expect(play(whole, () => ({ serversOf: () => 3 }))).rejects.toThrow(
    /serversOf\(uid\) counts 3 .* this uid only/,
  );
});

it("a cloud may bring the specs of its scenes", async () => {
  const namespaces: string[] = [];
  const note = (namespace: string, spec: object) => {
    namespaces.push(namespace);
    return { ...spec };
  };
  await play(whole, () => ({
    machineSpec: (namespace) => note(namespace, { size: "large" }),
    clusterSpec: (namespace) => note(namespace, { credentialsRef: { name: "credentials" } }),
  }));
  expect(namespaces).toEqual(["case-1", "case-1"]);
});
