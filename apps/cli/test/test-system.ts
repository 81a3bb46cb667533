import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SimulationOutsideV1, SimulationV1 } from "@capstan/contract/v1";
import { createSimulation, type LinodeSimulation } from "@capstan/sim-linode";
import { conditionsOf, MachineResource, valueAt, type Condition } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import { createLogger } from "@capstan/runtime";
import { type FakeClock, recentClock, seededRandom } from "@capstan/testing";
import {
  openDataFolder,
  simulatedLinode,
  startSystem,
  type RunningSystem,
  type UpEnvironment,
} from "../src/embedded-up.ts";
import { parseManifest } from "../src/manifest/read-manifests.ts";
import { applyManifests } from "../src/up/apply.ts";
import type { UpOptions } from "../src/up/up-options.ts";
import { untilQuiet } from "./until-quiet.ts";

export const example = join(import.meta.dirname, "../../../examples/linode/large-bootstrap.yaml");

export interface WantedCondition {
  readonly type: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Returns whether a condition is as wanted. */
export const isAs = (condition: Condition | undefined, { status, reason, message = "" }: WantedCondition): boolean =>
  condition !== undefined &&
  (status === undefined || condition.status === status) &&
  (reason === undefined || condition.reason === reason) &&
  condition.message.includes(message);

/** A simulation with what lies below. */
export type Simulated = SimulationV1 & { readonly simulator: unknown };

/** What `capstan up` starts, in this process and on a virtual clock, with a simulated cloud: a Linode account unless told otherwise. */
export interface TestSystem<S extends Simulated = LinodeSimulation> extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly running: RunningSystem;
  readonly simulation: S;
  readonly simulator: S["simulator"];
  /** Everything that was logged, at every level, and shown. */
  readonly said: readonly string[];
  /** Lets time pass in which nothing is expected to be under way. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until nothing is written to the management API any more. */
  quiet(): Promise<void>;
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Applies further manifests, given as text. */
  apply(manifest: string): Promise<void>;
  /** Waits until every Machine runs. */
  untilRunning(): Promise<void>;
  /** Waits until a reason why not every Machine runs holds these words. */
  untilReason(words: string): Promise<void>;
  /** Waits until a condition of an object is as wanted (`message`: a part of it), and returns it. */
  condition(kind: Resource, name: string, wanted: WantedCondition): Promise<Condition>;
}

/** A simulation that runs already, and continues when others stop it. */
const running = (simulation: LinodeSimulation): LinodeSimulation => ({
  ...simulation,
  start: async () => undefined,
  stop: async () => undefined,
});

/**
 * Starts with manifests, given as text, or none. `beside`: another system, whose clock and cloud account it shares. `providers`: as `--providers`
 * has them, ours by default.
 */
export const startTestSystem = (
  manifest: string,
  {
    beside,
    ...options
  }: { readonly beside?: TestSystem; readonly providers?: readonly string[] } & Pick<UpEnvironment, "lenient"> = {},
): Promise<TestSystem> =>
  startTestSystemOn(
    { linode: async (outside) => (beside ? running(beside.simulation) : createSimulation(outside)) },
    manifest,
    {
      ...options,
      ...(beside && { clock: beside.clock }),
    },
  );

/** The same with another simulated cloud, by its name. */
export const startTestSystemOn = async <S extends Simulated>(
  cloud: Readonly<Record<string, (outside: SimulationOutsideV1) => Promise<S>>>,
  manifest: string,
  {
    clock = recentClock(),
    lenient,
    providers,
    references,
    wrapConnection,
  }: { readonly clock?: FakeClock; readonly providers?: readonly string[] } & Pick<UpOptions, "references"> &
    Pick<UpEnvironment, "lenient" | "wrapConnection"> = {},
): Promise<TestSystem<S>> => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-test-"));
  const files = manifest === "" ? [] : [join(folder, "manifest.yaml")];
  for (const file of files) writeFileSync(file, manifest);
  const data = openDataFolder("", { temporary: true });
  const said: string[] = [];
  const say = (line: unknown): void => void said.push(typeof line === "string" ? line : JSON.stringify(line));
  let simulation: S | undefined;
  const options = { ...simulatedLinode(files), simulate: Object.keys(cloud), references };
  const started = startSystem(providers === undefined ? options : { ...options, providers }, {
    clock,
    random: seededRandom(7),
    log: createLogger({ level: "debug", write: say }),
    view: { say, rows: (_, changed) => say(changed), close: () => undefined },
    data,
    variables: () => undefined,
    ...(lenient !== undefined && { lenient }),
    ...(wrapConnection !== undefined && { wrapConnection }),
    simulations: Object.fromEntries(
      Object.entries(cloud).map(([name, create]) => [name, async (outside) => (simulation = await create(outside))]),
    ),
  });
  let over = false;
  void started.catch(() => undefined).finally(() => (over = true));
  await clock.advanceUntil(() => over, { stepMs: 50 });
  const system = await started;
  const until: TestSystem["until"] = (condition) => clock.advanceUntil(condition, { stepMs: 100, maxMs: 1_200_000 });
  const isEachRunning = async (): Promise<boolean> =>
    (await system.client.list(MachineResource)).items.every((each) => valueAt(each, "status.phase") === "Running");
  const explained = async (condition: Parameters<TestSystem["until"]>[0]): Promise<void> => {
    try {
      await until(condition);
    } catch (cause) {
      throw new Error(`still waiting: ${system.progress.verdict().reasons.join("\n")}`, { cause });
    }
  };
  return {
    clock,
    running: system,
    simulation: simulation!,
    simulator: simulation!.simulator,
    said,
    pass: async (ms) => {
      const end = clock.now() + ms;
      await clock.advanceUntil(() => clock.now() >= end, { stepMs: 1000, maxMs: ms + 1000 });
    },
    quiet: () => untilQuiet(clock, system.client),
    until,
    apply: (text) =>
      applyManifests(
        parseManifest(text, "manifest", () => undefined),
        {
          client: system.client,
          clock,
          signal: new AbortController().signal,
          namespace: "default",
          onApplied: () => undefined,
        },
      ),
    // What is shown may lag behind what is there: a Machine that has just been made is not seen yet.
    untilRunning: () => explained(async () => system.progress.verdict().running && (await isEachRunning())),
    untilReason: (words) => explained(() => system.progress.verdict().reasons.some((reason) => reason.includes(words))),
    condition: async (kind, name, wanted) => {
      let object: KubeObject | undefined;
      const current = () => conditionsOf(object ?? ({} as KubeObject)).find(({ type }) => type === wanted.type);
      try {
        await until(async () => {
          object = await system.client.find(kind, { namespace: "default", name });
          return isAs(current(), wanted);
        });
      } catch (cause) {
        const message = `${kind.kind} ${name}: wanted ${JSON.stringify(wanted)}, found ${JSON.stringify(current())}`;
        throw new Error(message, { cause });
      }
      return current()!;
    },
    [Symbol.asyncDispose]: async () => {
      await system.stop();
      data.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
