import type { Clock } from "@capstan/contract";
import type { Operation, OperationState } from "@capstan/kit/machine";
import type { ArmCall } from "../arm/arm-client.ts";
import { waitOfHandle } from "../arm/operation.ts";
import { azureDefaults } from "../options.ts";
import type { AzureApi } from "./azure-api.ts";

/** When an operation is asked about for the first time. */
export const { pollMs: firstPollMs } = azureDefaults;
const longestPollMs = 15_000;

/**
 * Returns the state of an operation. It is not polled before the time that Azure gave. Where Azure gives no interval, the older the
 * operation, the longer the interval between polls.
 */
export const pollAzure = async (context: {
  readonly api: AzureApi;
  readonly call: ArmCall;
  readonly clock: Clock;
  readonly operation: Operation;
}): Promise<OperationState> => {
  const { api, call, clock, operation } = context;
  const now = clock.now();
  const earlyMs = operation.startedAt + waitOfHandle(operation.handle) - now;
  if (earlyMs > 0) return { state: "running", pollMs: earlyMs };
  const state = await api.poll(operation.handle, { call, now });
  if (state.state !== "running" || state.pollMs !== undefined) return state;
  const age = now - operation.startedAt;
  return { ...state, pollMs: Math.min(Math.max(age / 2, firstPollMs), longestPollMs) };
};
