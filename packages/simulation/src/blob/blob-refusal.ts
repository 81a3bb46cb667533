import { Refusal } from "../http/refusal.ts";

/** An error answer of the Blob service. `violation`: something that a client should not send, whatever its credentials. */
export const blobRefusal = (
  status: number,
  code: string,
  message: string,
  options: { readonly violation?: boolean; readonly headers?: Readonly<Record<string, string>> } = {},
): Refusal => new Refusal(status, message, { code, ...options });

/** Credentials that do not prove what they say. The reason is for the log of the simulator and for whoever reads the answer. */
export const notAuthenticated = (reason: string): Refusal =>
  blobRefusal(403, "AuthenticationFailed", `Server failed to authenticate the request. ${reason}`);
