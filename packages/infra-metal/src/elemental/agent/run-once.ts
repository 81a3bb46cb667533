import type { Clock } from "@capstan/contract";
import { bootstrapSentinel } from "@capstan/contract";
import { isBundleError } from "../bundle/bundle-errors.ts";
import { digestOf } from "../bundle/digest.ts";
import { ElementalCondition, ElementalReason, type HostPhase } from "../api/elemental-conditions.ts";
import type { Requests } from "../http/requests.ts";
import type { HostState } from "../server/host-state.ts";
import { installComponents, installedBundle } from "./components/install-components.ts";
import { orderedBundle } from "./components/ordered-bundle.ts";
import type { AgentReport, ElementalClient, ReportedCondition } from "./elemental-client.ts";
import type { HostSystem } from "./host-system.ts";
import type { OsPlugin } from "./os-plugin.ts";

/** Maximum time from the reboot with bootstrap data until the operating system reports success. */
const bootstrapTimeoutMs = 10 * 60_000;

const bootstrapMarker = (workDir: string): string => `${workDir}/bootstrapped-at`;
const osVersionMarker = (workDir: string): string => `${workDir}/os-version`;

/** The host starts over. */
export const forgetRuns = async (files: HostSystem["files"], workDir: string): Promise<void> => {
  await files.remove(bootstrapMarker(workDir));
  await files.remove(osVersionMarker(workDir));
};

/** Host and dependencies of one run of the agent. */
export interface RunPlace {
  readonly host: string;
  readonly workDir: string;
  readonly client: ElementalClient;
  /** To the API and to registries. */
  readonly requests: Requests;
  readonly system: HostSystem;
  readonly plugin: OsPlugin;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** State that the agent keeps from one run to the next. */
export interface RunMemory {
  phase: HostPhase;
  /** Digest of the bundle that could not be installed: the failure stands in the condition until something else is tried. */
  failedBundle?: string;
}

/** Next step after one run: another run, a reboot, or a reboot by the OS plugin itself to reset the host. */
export type Next = "again" | "reboot" | "reset";

const condition = (
  type: keyof typeof ElementalCondition,
  parts: Omit<ReportedCondition, "type">,
): { readonly condition: ReportedCondition } => ({ condition: { type: ElementalCondition[type], ...parts } });

const holds = (type: keyof typeof ElementalCondition): AgentReport =>
  condition(type, { status: "True", reason: ElementalReason.done });

const waits = (type: keyof typeof ElementalCondition, reason: string, message: string): AgentReport =>
  condition(type, { status: "False", severity: "Info", reason, message });

const fails = (type: keyof typeof ElementalCondition, reason: string, message: string): AgentReport =>
  condition(type, { status: "False", severity: "Error", reason, message });

const reasonOf = (error: unknown, byDefault: string): string => (isBundleError(error) ? error.reason : byDefault);

/** Installs the bundle that the host is to have. `true`: the host has to reboot. Throws once the failure is reported. */
const components = async (place: RunPlace, state: HostState, memory: RunMemory): Promise<boolean> => {
  const { client, host, signal, system, workDir } = place;
  const digest = state.components?.digest;
  if (digest === undefined) return false;
  if ((await installedBundle({ system, workDir })) === digest) {
    await client.report(host, { components: { installed: digest }, ...holds("componentsReady") });
    return false;
  }
  const { waitingForComponents } = ElementalReason;
  const waiting = waits("componentsReady", waitingForComponents, `${digest} is being installed`);
  memory.phase = "Installing Components";
  if (memory.failedBundle !== digest) await client.report(host, { phase: memory.phase, ...waiting });
  try {
    const outcome = await installComponents(await orderedBundle(place), { system, workDir, signal });
    await client.report(host, { components: { installed: digest }, ...holds("componentsReady") });
    return outcome === "reboot";
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error, ElementalReason.downloadFailed);
    memory.failedBundle = digest;
    await client.report(
      host,
      fails("componentsReady", reason, `component bundle ${digest}: ${(error as Error).message}`),
    );
    throw error;
  }
};

/** Lets the OS plugin bring the operating system to what is wanted, once per wanted state. `true`: the host has to reboot. */
const osVersion = async (place: RunPlace, state: HostState): Promise<boolean> => {
  const { client, host, plugin, system, workDir } = place;
  if (state.osVersionManagement === undefined) return false;
  const wanted = digestOf(Buffer.from(JSON.stringify(state.osVersionManagement)));
  const marker = osVersionMarker(workDir);
  const applied = Buffer.from((await system.files.read(marker)) ?? []).toString("utf8");
  if (applied === wanted) {
    await client.report(host, holds("osVersionReady"));
    return false;
  }
  await client.report(host, { phase: "Reconciling OS Version" });
  try {
    const reboots = await plugin.reconcileOsVersion(state.osVersionManagement);
    if (!reboots) await system.files.write(marker, wanted);
    const { waitingForPostReconcileReboot } = ElementalReason;
    await client.report(
      host,
      reboots
        ? waits("osVersionReady", waitingForPostReconcileReboot, "the host reboots into its new version")
        : holds("osVersionReady"),
    );
    return reboots;
  } catch (error) {
    const { osVersionReconciliationFailed } = ElementalReason;
    await client.report(host, fails("osVersionReady", osVersionReconciliationFailed, (error as Error).message));
    throw error;
  }
};

/** Gives the operating system its bootstrap data, then waits until it says that it succeeded. `true`: the host has to reboot. */
const bootstrap = async (place: RunPlace): Promise<boolean> => {
  const { client, clock, host, plugin, system, workDir } = place;
  if ((await system.files.size(bootstrapSentinel)) !== undefined) {
    await client.report(host, { bootstrapped: true, phase: "Running", ...holds("bootstrapReady") });
    return false;
  }
  const marker = bootstrapMarker(workDir);
  const applied = await system.files.read(marker);
  if (applied !== undefined) {
    const since = Number(Buffer.from(applied).toString("utf8"));
    const message = `${bootstrapSentinel} is not there yet`;
    const late = clock.now() - since > bootstrapTimeoutMs;
    const { bootstrapFailed, waitingForBootstrap } = ElementalReason;
    const minutes = bootstrapTimeoutMs / 60_000;
    await client.report(
      host,
      late
        ? fails(
            "bootstrapReady",
            bootstrapFailed,
            `${message} ${minutes} minutes after the host was given its data; read /var/log/cloud-init-output.log on the host`,
          )
        : waits("bootstrapReady", waitingForBootstrap, message),
    );
    return false;
  }
  try {
    await client.report(host, { phase: "Bootstrapping" });
    await plugin.bootstrap(await client.bootstrapData(host));
    await system.files.write(marker, String(clock.now()));
    return true;
  } catch (error) {
    place.signal.throwIfAborted();
    await client.report(host, fails("bootstrapReady", ElementalReason.bootstrapFailed, (error as Error).message));
    throw error;
  }
};

/** One look: asks what is to be done, and does it. Throws what failed, once it is reported. */
export const runOnce = async (place: RunPlace, memory: RunMemory): Promise<Next> => {
  const { client, host, plugin } = place;
  const state = await client.report(host, { phase: memory.phase });
  // Whoever took the host away without resetting it may bring it back.
  if (state === undefined) return "again";
  if (state.needsReset) {
    const waiting = waits("resetReady", ElementalReason.waitingForReset, "the host reboots in order to be reset");
    await client.report(host, { phase: "Triggering Reset", ...waiting });
    await plugin.triggerReset();
    return "reset";
  }
  const inPlace = state.inPlaceUpgrade === "pending";
  if (!state.bootstrapped || inPlace) {
    if (await components(place, state, memory)) return "reboot";
    if (await osVersion(place, state)) return "reboot";
    if (inPlace) await client.report(host, { inPlaceUpdate: "done" });
  }
  const bootstraps = state.bootstrapReady && !state.bootstrapped;
  memory.phase = bootstraps ? "Bootstrapping" : "Running";
  return bootstraps && (await bootstrap(place)) ? "reboot" : "again";
};
