import type { UserData } from "@capstan/contract/v1";

/** Bytes as the user-data field of a cloud takes them. */
export const userDataOf = (bytes: Uint8Array): UserData => ({ bytes, base64: Buffer.from(bytes).toString("base64") });
