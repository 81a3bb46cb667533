import { CapstanError, isCapstanError } from "@capstan/contract";
import { storeErrors, type StoreFailure } from "@capstan/kit/delivery";

const disk = "check the disk and the folder's owner and mode";

export const storeError = storeErrors({
  bucketNotFound: `only the bucket "bootstrap-data" is created automatically; create the folder of another one, or correct the Secret`,
  forbidden: disk,
  unavailable: disk,
});

const byCode: Readonly<Record<string, StoreFailure>> = {
  EACCES: "forbidden",
  EPERM: "forbidden",
  EEXIST: "conflict",
  EIO: "unavailable",
  EMFILE: "unavailable",
  ENFILE: "unavailable",
  ENOSPC: "unavailable",
  EDQUOT: "unavailable",
  EROFS: "unavailable",
};

/** Translates a failure of the file system, once, at the boundary. */
export const translate = (error: unknown, doing: string, signal: AbortSignal | undefined): CapstanError => {
  if (isCapstanError(error)) return error;
  if (signal?.aborted === true) {
    return storeError("cancelled", doing, "the call was cancelled", { cause: signal.reason });
  }
  const { code = "" } = error as NodeJS.ErrnoException;
  return storeError(byCode[code] ?? "unknown", doing, `the file system answered ${code || "nothing known"}`, {
    cause: error,
  });
};

/** No machine can reach the server, so what is stored would be of no use to any. */
export const addressMissing = (doing: string): CapstanError =>
  new CapstanError({
    code: "objectstore.address_missing",
    reason: "ObjectStoreAddressMissing",
    message: `could not ${doing}: machines of a real cloud cannot reach the local object store; configure an object store in the cluster, or set --object-store-address to a reachable URL`,
    retry: { kind: "never" },
  });

export const cannotListen = (host: string, port: number, cause: Error): CapstanError =>
  new CapstanError({
    code: "objectstore.cannot_listen",
    reason: "ObjectStoreCannotListen",
    message: `the local object store cannot listen at ${host}:${port}: ${cause.message}; choose a local address and a free port`,
    retry: { kind: "never" },
    cause,
  });
