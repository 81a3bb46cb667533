import { CapstanError, isCapstanError } from "@capstan/contract";
import {
  conditionOf,
  ConditionReason,
  ConditionType,
  machine as machineFields,
  MachineResource,
  readReference,
  SecretResource,
} from "@capstan/contract/wire";
import { logSecretName } from "@capstan/kit/machine";
import { createDiscovery } from "@capstan/kube";
import { fromBase64, plainLines } from "@capstan/kube-values";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { absenceOf } from "../cluster/absence.ts";
import { withManagement, type ManagementSession } from "../management-session.ts";
import { rememberedSimulators } from "../up/simulator-places.ts";
import { simulatorControl, type SimulatorControl } from "../simulate/simulator-control.ts";
import type { LogsRequest } from "./logs-command.ts";

/** Between two looks at a console. */
const followMs = 300;

type Write = (text: string) => void;

const failure = (code: string, reason: string, message: string): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" } });

const readMachine = async (name: string, { client, namespace, signal }: ManagementSession): Promise<KubeObject> => {
  const found = await client.find(MachineResource, { namespace, name }, { signal });
  if (found !== undefined) return found;
  const message = await absenceOf(client, MachineResource, { namespace, name }, { signal });
  throw failure("logs.machine_missing", "MachineMissing", message);
};

const infrastructureOf = async (
  machine: KubeObject,
  { client, namespace, signal }: ManagementSession,
): Promise<KubeObject | undefined> => {
  const reference = readReference(machine, machineFields.infrastructureRefPath);
  if (reference === undefined) return undefined;
  const { apiGroup: group, kind, name } = reference;
  const resource = await createDiscovery(client).resourceFor({ group, kind }, { signal });
  return resource === undefined ? undefined : client.find(resource, { namespace, name }, { signal });
};

const lastOf = (lines: readonly string[], tail: number | undefined): readonly string[] =>
  tail === undefined ? lines : tail === 0 ? [] : lines.slice(-tail);

/** The machine writes them, and not for the terminal of those who read them. */
const printed = (lines: readonly string[], write: Write): void => {
  if (lines.length > 0) write(`${plainLines(lines.join("\n"))}\n`);
};

/** Prints a console, if a simulated cloud has one of this provider id; `undefined` where the cloud no longer runs. */
const showConsole = async (
  control: SimulatorControl,
  providerID: string,
  {
    follow,
    tail,
    signal,
    write,
  }: Pick<LogsRequest, "follow" | "tail"> & { readonly signal: AbortSignal; readonly write: Write },
): Promise<boolean | undefined> => {
  const first = await control.console({ since: 0, providerID }, { signal }).catch((error: unknown) => {
    if (isCapstanError(error, "simulator.unavailable")) return undefined;
    throw error;
  });
  if (first === undefined) return undefined;
  if (first.items.length === 0 && !follow) return false;
  printed(
    lastOf(
      first.items.map(({ text }) => text),
      tail,
    ),
    write,
  );
  for (let since = first.next; follow && !signal.aborted;) {
    await systemClock.sleep(followMs, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const { items, next } = await control.console({ since, providerID }, { signal });
    printed(
      items.map(({ text }) => text),
      write,
    );
    since = next;
  }
  return true;
};

/** Why there is nothing to show. */
const nothing = (
  machine: KubeObject,
  infrastructure: KubeObject | undefined,
  { simulated }: { readonly simulated: boolean },
): CapstanError => {
  const name = machine.metadata.name ?? "";
  const report = [infrastructure, machine].flatMap((object) =>
    object === undefined ? [] : (conditionOf(object, ConditionType.bootstrapSucceeded) ?? []),
  )[0];
  const why = report?.message || (report?.reason === ConditionReason.noReason ? "" : report?.reason);
  const said = report === undefined ? "" : `; BootstrapSucceeded is ${report.status}${why ? `: ${why}` : ""}`;
  const mend = simulated
    ? "; a simulated console starts empty when its cloud starts"
    : report === undefined
      ? "; to get a report, set the annotation capstan.dev/bootstrap-report before the server is created"
      : "";
  const missing = simulated ? "no output on its simulated console and no" : "neither a simulated console nor a";
  const message = `Machine ${name} has ${missing} bootstrap log${said}${mend}`;
  return failure("logs.none", "NoLog", message);
};

const bootstrapLog = async (
  infrastructure: KubeObject,
  { client, namespace, signal }: ManagementSession,
): Promise<string | undefined> => {
  const key = { namespace, name: logSecretName(infrastructure) };
  const secret = await client.find(SecretResource, key, { signal });
  const value = (secret?.["data"] as Readonly<Record<string, string>> | undefined)?.["log"];
  return value === undefined ? undefined : fromBase64(value);
};

/** `capstan logs machine`: resolves to the exit status. */
export const runLogs = (request: LogsRequest, write: Write): Promise<number> =>
  withManagement(request, async (session) => {
    const machine = await readMachine(request.machine, session);
    const infrastructure = await infrastructureOf(machine, session);
    const providerID =
      machineFields.providerID.get(machine) ??
      (infrastructure === undefined ? undefined : machineFields.providerID.get(infrastructure));
    let simulated = false;
    if (providerID !== undefined) {
      for (const place of rememberedSimulators(request, process.env)) {
        const control = simulatorControl(place, { clock: systemClock, random: cryptoRandom });
        const shown = await showConsole(control, providerID, { ...request, signal: session.signal, write });
        if (shown === true) return 0;
        simulated ||= shown === false;
      }
    }
    const log = infrastructure === undefined ? undefined : await bootstrapLog(infrastructure, session);
    if (log === undefined) throw nothing(machine, infrastructure, { simulated });
    printed(lastOf(log.replace(/\n$/, "").split("\n"), request.tail), write);
    return 0;
  });
