import { isJsonObject } from "@capstan/schema";
import type { ArmCall, ArmClient } from "../arm/arm-client.ts";
import { azureError } from "../arm/arm-error.ts";
import type { ArmAnswer, Transport } from "../arm/arm-transport.ts";
import { nameIn } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";

/** Number of bytes that are read from the end of the log. */
const keptBytes = 65_536;

/** Where the log is read from for some minutes, by whoever has the address. */
const addressOf = async (client: ArmClient, vm: ResourceRef, call: ArmCall): Promise<string | undefined> => {
  const doing = `ask for the serial log of ${nameIn(vm.id)}`;
  const query = { sasUriExpirationTimeInMinutes: "60" };
  const path = `${vm.id}/retrieveBootDiagnosticsData`;
  const { body } = await client.send("POST", path, { doing, apiVersion: vm.apiVersion, query }, call);
  const address = isJsonObject(body) ? body["serialConsoleLogBlobUri"] : undefined;
  return typeof address === "string" && URL.canParse(address) ? address : undefined;
};

const checkStatus = (doing: string, { status }: ArmAnswer): void => {
  if (status >= 400) throw azureError("unavailable", `could not ${doing}: the storage answers ${status}`);
};

/**
 * The end of what a machine printed on its serial console; `undefined` where there is nothing. The address is signed, so no token goes
 * with the request, and no error names it.
 */
export const readBootLog = async (
  { client, transport }: { readonly client: ArmClient; readonly transport: Transport },
  vm: ResourceRef,
  call: ArmCall,
): Promise<string | undefined> => {
  const address = await addressOf(client, vm, call);
  if (address === undefined) return undefined;
  const doing = `read the serial log of ${nameIn(vm.id)}`;
  const request = { url: new URL(address), doing, signal: call.signal };
  const head = await transport({ ...request, method: "HEAD", headers: {} });
  if (head.status === 404) return undefined;
  checkStatus(doing, head);
  const size = Number(head.headers["content-length"] ?? 0);
  if (size === 0) return undefined;
  const range = `bytes=${Math.max(0, size - keptBytes)}-`;
  const answer = await transport({ ...request, method: "GET", headers: { range } });
  checkStatus(doing, answer);
  return typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? "");
};
