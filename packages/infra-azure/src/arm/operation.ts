import type { OperationState } from "@capstan/kit/machine";
import { retryAfterMs } from "@capstan/kube-values";
import { isJsonObject } from "@capstan/schema";
import type { ArmCall, ArmClient } from "./arm-client.ts";
import type { ArmFailure } from "./arm-error.ts";
import { armError, failureIn, failureMessage, meaningOf, meanings } from "./arm-error.ts";
import type { ArmAnswer, ArmMethod } from "./arm-transport.ts";

/** A call that Azure works on after its answer, by the ways it has to be asked about. */
export interface ArmOperation {
  readonly method: ArmMethod;
  /** Path of what is worked on. */
  readonly path: string;
  readonly apiVersion: string;
  /** Address of the operation (`Azure-AsyncOperation`), of its result (`Location`), or neither: the resource itself tells. */
  readonly by: "operation" | "location" | "resource";
  readonly address?: string;
  /** It is not asked about before, in milliseconds after its start: Azure said so. */
  readonly waitMs?: number;
}

/** A second is what Azure says of anything, and a part of a network is often there before the ten seconds that are said of it. */
const shortestWaitMs = 2000;
const longestWaitMs = 5000;
/** Machines take longer. */
const longestMachineWaitMs = 10_000;

const terminal = new Set(["succeeded", "failed", "canceled"]);

/** `provisioningState` of a resource; those without one are there. */
export const provisioningStateOf = (resource: unknown): string => {
  const properties = isJsonObject(resource) ? resource["properties"] : undefined;
  const state = isJsonObject(properties) ? properties["provisioningState"] : undefined;
  return typeof state === "string" && state !== "" ? state : "Succeeded";
};

/** Returns whether something about the resource continues by itself. */
export const isChanging = (resource: unknown): boolean => !terminal.has(provisioningStateOf(resource).toLowerCase());

const header = ({ headers }: ArmAnswer, name: string): string | undefined => [headers[name]].flat()[0];

const waitOf = (path: string, answer: ArmAnswer): Pick<ArmOperation, "waitMs"> => {
  const ms = Number(header(answer, "retry-after")) * 1000;
  const longestMs = path.includes("/virtualMachines/") ? longestMachineWaitMs : longestWaitMs;
  return ms >= shortestWaitMs ? { waitMs: Math.min(ms, longestMs) } : {};
};

/** Returns the operation that continues after an answer; `undefined` if it has ended. */
export const operationOf = (
  given: Pick<ArmOperation, "method" | "path" | "apiVersion">,
  answer: ArmAnswer,
): ArmOperation | undefined => {
  const call = { ...given, ...waitOf(given.path, answer) };
  const operation = header(answer, "azure-asyncoperation");
  if (operation !== undefined) return { ...call, by: "operation", address: operation };
  const location = header(answer, "location");
  if (answer.status === 202 && location !== undefined) return { ...call, by: "location", address: location };
  if (answer.status === 202) return { ...call, by: "resource" };
  return call.method !== "DELETE" && isChanging(answer.body) ? { ...call, by: "resource" } : undefined;
};

/** An operation as it is saved on the object. */
export const operationHandle = ({ method, path, apiVersion, by, address, waitMs }: ArmOperation): string =>
  JSON.stringify({
    method,
    path,
    apiVersion,
    by,
    ...(address !== undefined && { address }),
    ...(waitMs !== undefined && { waitMs }),
  });

/** `undefined` for what no one here wrote. */
const readOperation = (handle: string): ArmOperation | undefined => {
  try {
    const parsed: unknown = JSON.parse(handle);
    if (!isJsonObject(parsed)) return undefined;
    const { address, apiVersion, by, method, path } = parsed;
    const isWhole = [apiVersion, by, method, path].every((part) => typeof part === "string");
    const isKnown = by === "resource" || ((by === "operation" || by === "location") && typeof address === "string");
    const isPath = typeof path === "string" && path.startsWith("/");
    return isWhole && isPath && isKnown ? (parsed as unknown as ArmOperation) : undefined;
  } catch {
    return undefined;
  }
};

/** The time after its start in which an operation is not asked about, in milliseconds; 0 where Azure said nothing. */
export const waitOfHandle = (handle: string): number => {
  const waitMs = readOperation(handle)?.waitMs;
  return typeof waitMs === "number" && waitMs <= longestMachineWaitMs ? waitMs : 0;
};

const succeeded: OperationState = { state: "succeeded" };
const lost: OperationState = { state: "lost" };

const running = (answer: ArmAnswer, now: number): OperationState => {
  const pollMs = retryAfterMs(header(answer, "retry-after"), now);
  return { state: "running", ...(pollMs !== undefined && { pollMs: Math.max(pollMs, shortestPollMs) }) };
};

/** Azure asks for more, a simulator may ask for nothing. */
const shortestPollMs = 500;

const ended = (state: string): boolean => terminal.has(state.toLowerCase());

const failed = (doing: string, failure: ArmFailure): OperationState => {
  const { reason, retry } = meanings[meaningOf(failure)];
  return { state: "failed", reason, message: failureMessage(doing, failure), retry };
};

const byOperation = (doing: string, answer: ArmAnswer, now: number): OperationState => {
  const body = isJsonObject(answer.body) ? answer.body : {};
  const status = typeof body["status"] === "string" ? body["status"] : "InProgress";
  if (!ended(status)) return running(answer, now);
  return status.toLowerCase() === "succeeded" ? succeeded : failed(doing, failureIn(body));
};

const byResource = async (
  client: ArmClient,
  { apiVersion, method, path }: ArmOperation,
  { call, doing }: { readonly call: ArmCall; readonly doing: string },
): Promise<OperationState> => {
  const found = await client.find("GET", path, { doing: "ask for it", apiVersion }, call);
  if (found === undefined) return method === "DELETE" ? succeeded : lost;
  const state = provisioningStateOf(found.body);
  if (!ended(state)) return { state: "running" };
  if (method === "DELETE") return lost;
  const failure = { code: state, message: `it is ${state}`, details: [] };
  return state.toLowerCase() === "succeeded" ? succeeded : failed(doing, failure);
};

const verbs: Partial<Record<ArmMethod, string>> = { PUT: "make", PATCH: "change", DELETE: "delete", POST: "do" };

/** Returns the state of an operation. One that Azure no longer knows is lost: its result shows in the resource. */
export const pollOperation = async (
  client: ArmClient,
  handle: string,
  { call, now }: { readonly call: ArmCall; readonly now: number },
): Promise<OperationState> => {
  const operation = readOperation(handle);
  if (operation === undefined) return lost;
  const { address, by, method, path } = operation;
  const doing = `${verbs[method] ?? "change"} ${nameIn(path)}`;
  // Of an address that is no longer the endpoint's, the resource tells what came of it.
  if (by === "resource" || address === undefined || !client.knows(address)) {
    return byResource(client, operation, { call, doing });
  }
  const answer = await client.follow(address, doing, call);
  const { status } = answer;
  if (status === 404) return lost;
  if (status === 429 || status >= 500 || status === 408) return running(answer, now);
  if (status === 401 || status === 403) throw armError(doing, failureIn(answer.body, status));
  // Who refuses to say how an operation is getting on has not said that it failed.
  if (by === "operation") return status >= 400 ? lost : byOperation(doing, answer, now);
  if (status >= 400) return failed(doing, failureIn(answer.body, status));
  return status === 202 ? running(answer, now) : succeeded;
};

/** `networkInterfaces m-nic` of a path. */
export const nameIn = (path: string): string => path.split("?")[0]!.split("/").slice(-2).join(" ");
