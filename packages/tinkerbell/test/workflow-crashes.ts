import { type ConformanceEnvironment, crashEverywhere } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BmcJob, Hardware, Template, Workflow } from "../src/api.ts";
import { client, startEnvironment, TinkerbellWorld } from "./world.ts";

const agent = "52:54:00:00:00:01";
const task = (name: string): string =>
  `  - {name: ${name}, worker: "${agent}", actions: [{name: ${name}-a, image: example/a}, {name: ${name}-b, image: example/b}]}\n`;
const template = { data: `name: x\nglobal_timeout: 100000\ntasks:\n${task("one")}${task("two")}` };
const hardware = {
  bmcRef: { kind: "Machine", name: "bmc" },
  interfaces: [{ dhcp: { mac: agent, uefi: true, ip: { address: client } } }],
};
const workflow = {
  templateRef: "t",
  hardwareRef: "m",
  bootOptions: { toggleAllowNetboot: true, bootMode: "netboot" },
};

/** What the machine and its board management do: Jobs take effect, and actions run as they are handed out. */
class Outside {
  readonly jobs = new Set<string>();
  readonly actions = new Set<string>();
  readonly #world: TinkerbellWorld;

  constructor(world: TinkerbellWorld) {
    this.#world = world;
  }

  async act(state: string): Promise<void> {
    await this.#carryOut();
    if (state === "PENDING" || state === "RUNNING") await this.#runAction();
    else await this.#world.environment.pass(1000);
  }

  async #carryOut(): Promise<void> {
    const { environment, namespace } = this.#world;
    for (const { metadata, status } of (await environment.client.list(BmcJob, { namespace })).items) {
      this.jobs.add(metadata.uid ?? "");
      if (status?.conditions !== undefined) continue;
      const body = { status: { conditions: [{ type: "Completed", status: "True" }] } };
      const key = this.#world.key(metadata.name ?? "");
      await environment.client.patch(BmcJob, key, { type: "merge", body }, { subresource: "status" });
    }
  }

  async #runAction(): Promise<void> {
    const outcome = await this.#world.call("GetAction", { agentId: agent });
    if (!("answer" in outcome)) return;
    const { actionId, taskId, workflowId } = outcome.answer;
    const ids = { actionId, taskId, workflowId, agentId: agent };
    this.actions.add(String(actionId));
    for (const actionState of ["RUNNING", "SUCCESS"]) {
      await this.#world.call("ReportActionStatus", { ...ids, actionState });
    }
  }
}

/** A process that runs workflows dies at one of so many points, again and again. */
export const testWorkflowCrashes = ({ every }: { readonly every: number }): void => {
  let environment: ConformanceEnvironment;
  beforeAll(async () => {
    environment = await startEnvironment();
  });
  afterAll(() => environment.stop());

  it("a workflow boots its machine once and ends well, although the process dies between any two calls", async () => {
    const play: Parameters<typeof crashEverywhere>[0] = async (gate) => {
      const parts = { boardManagement: false, gate };
      const world = await TinkerbellWorld.start(environment, { workerPolicy: "off" }, parts);
      try {
        const outside = new Outside(world);
        await world.create(Template, "t", template);
        await world.create(Hardware, "m", hardware);
        await world.create(Workflow, "w", workflow);
        let restarted = false;
        const state = async (): Promise<string> => (await world.workflow("w")).status?.state ?? "";
        for (let now = await state(); now !== "SUCCESS"; now = await state()) {
          expect(now, "it goes on").not.toMatch(/FAILED|TIMEOUT/);
          if (gate.crashedAt !== undefined && !restarted) {
            await world.crash();
            await world.run();
            restarted = true;
          }
          await outside.act(now);
        }
        const { metadata, status } = await world.workflow("w");
        expect(outside.jobs.size, "Jobs of board management").toBe(1);
        expect(outside.actions.size, "actions that were handed out").toBe(4);
        const states = status?.tasks?.flatMap(({ actions }) => actions.map((action) => action.state));
        expect(states).toEqual(["SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS"]);
        const { spec } = await environment.client.get(Hardware, world.key("m"));
        expect(spec?.interfaces?.map(({ netboot }) => netboot?.allowPXE)).toEqual([false]);
        await environment.pass(600_000);
        const after = await world.workflow("w");
        expect(after.metadata.resourceVersion, "nothing is written any more").toBe(metadata.resourceVersion);
      } finally {
        await world.crash();
      }
    };
    await crashEverywhere(play, { every });
  }, 1_200_000);
};
