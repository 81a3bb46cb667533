import type { Reading } from "./extension-check.ts";
import { vmOf } from "./extension-check.ts";

/** Returns the output of the machine on its serial console, if its boot diagnostics keep it. */
export const consoleLog = async (reading: Reading): Promise<string | undefined> => {
  const { api, call, object } = reading;
  if (object.spec?.diagnostics?.boot?.storageAccountType === "Disabled") return undefined;
  return api.bootLog(vmOf(reading), call);
};
