import { CapstanError, rfc3339 } from "@capstan/contract";
import type { StoreAccess } from "../../delivery/store-access.ts";
import { onFirstStore } from "../../delivery/store-attempts.ts";
import type { ReportRecord } from "../../report/report-record.ts";

/** The signed URL that a machine uploads its report to, and the place in the store. */
export interface SignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: number;
  readonly upload: Required<Pick<ReportRecord, "store" | "key" | "expires">> & Pick<ReportRecord, "storeType">;
}

/** Signs a URL by the first store of the cluster that can. */
export const signUpload = (access: StoreAccess, key: string, lifeMs: number): Promise<SignedUpload> =>
  onFirstStore(access, async (store, _signal, { secret }) => {
    if (store.signPut === undefined || store.get === undefined) {
      throw new CapstanError({
        code: "report.store_unsuited",
        reason: "ReportStoreUnsuited",
        message: `the store of Secret ${secret} does not support uploads by signed URL`,
        retry: { kind: "never" },
      });
    }
    const expiresInSeconds = Math.min(store.capabilities.maxSignedSeconds, Math.ceil(lifeMs / 1000));
    const signed = await store.signPut(key, { expiresInSeconds });
    const { defaultType: storeType } = access;
    const expires = rfc3339(signed.expiresAt);
    return { ...signed, upload: { key, store: secret, expires, ...(storeType === undefined ? {} : { storeType }) } };
  });
