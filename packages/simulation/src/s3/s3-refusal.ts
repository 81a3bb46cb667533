import { Refusal } from "../http/refusal.ts";

/** An S3 error answer. `violation`: something the client should not send to this service, whatever its credentials. */
export const s3Refusal = (
  status: number,
  code: string,
  message: string,
  options: { readonly violation?: boolean } = {},
): Refusal => new Refusal(status, message, { code, ...options });
