import { readFile } from "node:fs/promises";
import { CapstanError, Secret } from "@capstan/contract";
import type { Access, Credentials } from "../access.ts";

const readToken = async (file: string): Promise<Secret<string>> => {
  try {
    return new Secret(`Bearer ${(await readFile(file, "utf8")).trim()}`);
  } catch (cause) {
    throw new CapstanError({
      code: "kube.unauthorized",
      reason: "CredentialsUnavailable",
      message: `the token file ${file} cannot be read`,
      cause,
    });
  }
};

/** Reads the file at first, and again when the server refuses the token: then it has been rotated. */
export const withTokenFile = (others: () => Promise<Credentials>, file: string): Access["credentials"] => {
  let token: Secret<string> | undefined;
  return async ({ renew = false } = {}) => {
    if (token === undefined || renew) token = await readToken(file);
    return { ...(await others()), authorization: token };
  };
};
