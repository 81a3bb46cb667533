import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyMigration, planMigration, readExports, type MigrationStep } from "@capstan/tinkerbell/migration";
import { fakeClock, seededRandom } from "@capstan/testing";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Hardware, Template, Workflow } from "../src/api.ts";
import { createTinkerbellProvider } from "../src/index.ts";
import { startEnvironment } from "./world.ts";

const files = ["hardware.json", "templates.json", "workflows.json", "workflow-state.json"];

const exported = () =>
  readExports(
    files.map((name) => ({
      name,
      document: JSON.parse(readFileSync(join(import.meta.dirname, "exports", name), "utf8")) as unknown,
    })),
  );

const clock = fakeClock();
let environment: ConformanceEnvironment;

beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const plan = (namespace: string): readonly MigrationStep[] =>
  planMigration(exported(), { namespace, clock, random: seededRandom(1) });

const apply = (namespace: string) =>
  applyMigration(plan(namespace), { client: environment.client, namespace, signal: new AbortController().signal });

it("says what becomes of each record, and always the same", () => {
  const steps = plan("lab");
  expect(steps.map(({ id, kind, object, skipped }) => [kind, id, object?.metadata.name ?? skipped]))
    .toMatchInlineSnapshot(`
    [
      [
        "Hardware",
        "0fba0bf8-3772-4b4a-ab9f-6ebe93b90a95",
        "worker-b",
      ],
      [
        "Hardware",
        "broken",
        "spec.interfaces[0].dhcp.ip.address: Invalid value: "nowhere": must be an IP address such as 10.0.0.5",
      ],
      [
        "Hardware",
        "ce2e62ed-826f-4485-a39f-a82bb74338e2",
        "worker-a",
      ],
      [
        "Hardware",
        "gone",
        "it was deleted there",
      ],
      [
        "Template",
        "b356a1a2-5a93-11ec-0000-000000000001",
        "hello-world-6a190830",
      ],
      [
        "Template",
        "b356a1a2-5a93-11ec-0000-000000000002",
        "hello-world-596e945d",
      ],
      [
        "Template",
        "b356a1a2-5a93-11ec-0000-000000000003",
        "spec.data: Invalid value: template: wrong:1:3: unclosed action",
      ],
      [
        "Workflow",
        "w-1",
        "workflow-w-1",
      ],
      [
        "Workflow",
        "w-2",
        "workflow-w-2",
      ],
      [
        "Workflow",
        "w-3",
        "it is running; migrate again when it has ended, or create a Workflow for its machine",
      ],
      [
        "Workflow",
        "w-4",
        "workflow-w-4",
      ],
      [
        "Workflow",
        "w-5",
        "it cannot be read: what it gives is no YAML: line 1: unexpected end of the stream within a flow collection",
      ],
      [
        "Workflow",
        "w-6",
        "its template unknown is not among what is migrated",
      ],
      [
        "Workflow",
        "w-7",
        "workflow-w-7",
      ],
    ]
  `);
  expect(plan("lab")).toEqual(steps);
  expect(steps.find(({ id }) => id.startsWith("ce2e"))?.notes).toEqual([
    "left out, because Hardware has no such fields: spec.metadata.instance.customdata",
  ]);
});

it("refuses documents of another kind", () => {
  expect(() => readExports([{ name: "x.json", document: { data: [{ id: "a" }] } }])).toThrow(
    "x.json, record 1: this is not hardware, a template or a workflow of tink",
  );
});

it("makes Hardware, Templates and Workflows that keep their ids, and runs nothing again", async () => {
  const namespace = await environment.namespace();
  const running = await environment.runManager({
    providers: [createTinkerbellProvider({ parts: ["workflow"] })],
    namespace,
  });
  try {
    const outcomes = await apply(namespace);
    expect(outcomes.filter(({ outcome }) => outcome === "refused")).toEqual([]);
    const hardware = await environment.client.get(Hardware, { namespace, name: "worker-a" });
    expect(hardware.metadata.annotations).toEqual({
      "hardware.tinkerbell.org/id": "ce2e62ed-826f-4485-a39f-a82bb74338e2",
    });
    expect(hardware.spec).toEqual({
      interfaces: [
        {
          disableDhcp: false,
          dhcp: {
            mac: "08:00:27:00:00:01",
            hostname: "worker-a",
            lease_time: 86_400,
            name_servers: ["1.1.1.1"],
            arch: "x86_64",
            uefi: false,
            ip: { address: "192.168.1.5", netmask: "255.255.255.248", gateway: "192.168.1.1", family: 4 },
          },
          netboot: {
            allowPXE: true,
            allowWorkflow: true,
            osie: { baseURL: "http://192.168.1.1/misc/osie/current", kernel: "vmlinuz" },
          },
        },
      ],
      metadata: {
        facility: { facility_code: "onprem", plan_slug: "c2.medium.x86" },
        state: "provisioning",
        instance: {
          id: "7c9a5711-aadd-4fa0-8e57-789431626a27",
          hostname: "Worker_A",
          operating_system: { distro: "ubuntu", os_slug: "ubuntu_18_04", version: "18.04" },
          storage: { disks: [{ device: "/dev/sda", wipe_table: true }] },
        },
      },
      disks: [{ device: "/dev/sda" }],
      userData: "#cloud-config\n",
    });
    const { items: templates } = await environment.client.list(Template, { namespace });
    expect(templates).toHaveLength(2);
    // The one that had not begun begins; the others have ended, and stay so.
    await environment.eventually(
      Workflow,
      { namespace, name: "workflow-w-4" },
      (workflow) => workflow?.status?.state === "PENDING",
    );
    const states = async () =>
      Object.fromEntries(
        (await environment.client.list(Workflow, { namespace })).items.map(({ metadata, status }) => [
          metadata.name,
          [status?.state, status?.tasks?.flatMap(({ actions }) => actions.map(({ state }) => state)).join(" ")],
        ]),
      );
    const ended = {
      "workflow-w-1": ["SUCCESS", "SUCCESS SUCCESS"],
      "workflow-w-2": ["FAILED", "SUCCESS FAILED"],
      "workflow-w-4": ["PENDING", "PENDING PENDING"],
      "workflow-w-7": ["TIMEOUT", "PENDING PENDING"],
    };
    expect(await states()).toEqual(ended);
    const again = await apply(namespace);
    expect(again.filter(({ outcome }) => outcome === "created" || outcome === "refused")).toEqual([]);
    expect(await states()).toEqual(ended);
  } finally {
    await running.stop();
  }
});

it("goes on where it was interrupted: a Workflow without its status does not run", async () => {
  const namespace = await environment.namespace();
  const running = await environment.runManager({
    providers: [createTinkerbellProvider({ parts: ["workflow"] })],
    namespace,
  });
  try {
    for (const { object } of plan(namespace)) {
      if (object?.kind === "Template") await environment.client.create(Template, object);
      if (object?.kind === "Hardware") await environment.client.create(Hardware, object);
    }
    const step = plan(namespace).find(({ id }) => id === "w-1");
    await environment.client.create(Workflow, step!.object!);
    await environment.eventually(
      Workflow,
      { namespace, name: "workflow-w-1" },
      (workflow) => workflow !== undefined && workflow.status?.state === undefined,
    );
    await apply(namespace);
    const workflow = await environment.client.get(Workflow, { namespace, name: "workflow-w-1" });
    expect(workflow.status?.state).toBe("SUCCESS");
    expect(workflow.metadata.annotations).toEqual({ "workflow.tinkerbell.org/id": "w-1" });
  } finally {
    await running.stop();
  }
});

it("does not touch what has the name of another object", async () => {
  const namespace = await environment.namespace();
  await environment.client.create(Template, {
    apiVersion: "tinkerbell.org/v1alpha1",
    kind: "Template",
    metadata: { namespace, name: "worker-b" },
    spec: { data: "name: x" },
  });
  await environment.client.create(Hardware, {
    apiVersion: "tinkerbell.org/v1alpha1",
    kind: "Hardware",
    metadata: { namespace, name: "worker-b" },
    spec: {},
  });
  const refused = (await apply(namespace)).filter(({ outcome }) => outcome === "refused");
  expect(refused.map(({ step }) => step.id)).toEqual(["0fba0bf8-3772-4b4a-ab9f-6ebe93b90a95"]);
  expect((await environment.client.get(Hardware, { namespace, name: "worker-b" })).spec).toEqual({});
});
