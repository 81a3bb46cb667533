import type { CapstanError } from "@capstan/contract";
import { MachineDeploymentResource, SecretResource } from "@capstan/contract/wire";
import { leftoverLabel, leftoverOf } from "@capstan/kit/delivery";
import { cryptoRandom, proxyFromEnvironment, systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { runCommand } from "../run-command.ts";
import { liveViewFor, loggerFor, untilAborted } from "../terminal.ts";
import type { View } from "../view/view.ts";
import { becauseRemoved, openDataFolder } from "./data-folder.ts";
import { closingWords, nextSteps } from "./next-steps.ts";
import { startSystem, waitUntilRunning, type Preflight, type RunningSystem, type UpEnvironment } from "./up.ts";
import type { UpOptions } from "./up-options.ts";

/** `capstan up`: resolves to the exit status. With JSON output a failure is an event like the others, else it is thrown. */
export const runUp = async (options: UpOptions, preflight?: Preflight): Promise<number> => {
  const { view, live } = await liveViewFor(options.output);
  const above = (line: string): void => view.say({ type: "log", text: line.trimEnd() });
  const log = loggerFor(options, live ? above : undefined);
  return runCommand({ failures: { view, output: options.output } }, (signal) =>
    performUp(options, {
      clock: systemClock,
      random: cryptoRandom,
      log,
      view,
      variables: (name) => process.env[name],
      proxyFor: proxyFromEnvironment(process.env),
      preflight,
      signal,
    }),
  );
};

/** The command with what it finds outside, until the signal: resolves to the exit status. */
export const performUp = async (
  options: UpOptions,
  environment: Omit<UpEnvironment, "data" | "onRefused"> & { readonly signal: AbortSignal },
): Promise<number> => {
  const { view, signal, clock } = environment;
  const data = openDataFolder(options.dataDir, { temporary: options.inMemory });
  try {
    let refusal: CapstanError | undefined;
    const onRefused = (error: CapstanError): void => {
      refusal = error;
      view.say({ type: "refused", text: error.message });
    };
    const system = await startSystem(options, { ...environment, data, ...(options.keepGoing && { onRefused }) });
    let status: number;
    let hasServers = false;
    try {
      status = await accompany(system, options, { view, signal, clock });
      hasServers = options.simulate.length === 0 && system.progress.rows().length > 0;
    } finally {
      view.close();
      await system.stop().catch((error: unknown) => {
        throw becauseRemoved(data, error);
      });
    }
    if (refusal !== undefined && status === 0) throw refusal;
    view.say(closingWords({ dataDir: data.path, temporary: data.temporary, real: hasServers }));
    return status;
  } finally {
    view.close();
    data.close();
  }
};

const accompany = async (
  system: RunningSystem,
  options: UpOptions,
  { view, signal, clock }: Pick<UpEnvironment, "view" | "clock"> & { readonly signal: AbortSignal },
): Promise<number> => {
  if (options.files.length > 0 || options.until !== undefined) {
    if (!system.progress.verdict().running && system.progress.rows().length === 0) {
      view.say({ type: "waiting", text: "waiting for a Machine: neither -f nor the stored state has one" });
    }
    await waitUntilRunning(system, {
      clock,
      timeoutMs: options.until === undefined ? 2 ** 31 - 1 : options.timeoutMs,
      signal,
    });
  }
  if (signal.aborted) return options.until === undefined ? 0 : 130;
  await sayWhatIsLeft(system, view);
  const stays = options.until === undefined;
  const { items: deployments } = await system.client.list<KubeObject>(MachineDeploymentResource, {});
  const steps = nextSteps({
    kubeconfig: system.kubeconfig,
    workloads: await system.workloadKubeconfigs(),
    scalable: deployments.map(({ metadata }) => metadata.namespace ?? ""),
    running: system.progress.verdict().running,
    stays,
    outlives: !options.inMemory && options.simulate.length === 0,
  });
  for (const step of steps) view.say(step);
  if (!stays) return 0;
  await Promise.race([untilAborted(signal), system.ended]);
  view.say({ type: "stopping", text: "stopping" });
  return 0;
};

/** Bootstrap data that a store would not delete: it is retried as long as the providers run. */
const sayWhatIsLeft = async ({ client }: RunningSystem, view: View): Promise<void> => {
  const { items } = await client.list<KubeObject>(SecretResource, { labelSelector: leftoverLabel });
  for (const leftover of items.flatMap((secret) => leftoverOf(secret) ?? [])) {
    const { machine, stores, uid } = leftover;
    const text = `bootstrap data of ${machine} not deleted yet: ${uid} in the store of Secret ${stores.join(", ")}`;
    view.say({ type: "leftover", text, fields: { machine, uid, stores } });
  }
};
