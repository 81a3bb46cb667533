import { CapstanError } from "@capstan/contract";
import type { CallOptions } from "@capstan/contract/v1";
import { objectStores } from "@capstan/contract/v1";
import { openStore, recordedTarget } from "@capstan/kit/delivery";
import type { Use, UsePlace } from "@capstan/kit/engine";
import { secretText } from "@capstan/kit/engine";
import { keyText } from "@capstan/kube-values";
import type { ObjectKey } from "@capstan/kube-values";

/** Empties buckets through the object stores of the application. */
export interface BucketEmptier {
  /** With the credentials of a Secret. */
  empty(secret: Required<ObjectKey>, options: CallOptions): Promise<void>;
}

const open = ({ environment, request, secrets }: UsePlace): BucketEmptier => ({
  empty: async (secret, options) => {
    const store = await openStore(
      {
        targets: [],
        defaultType: "s3",
        openers: environment.findService(objectStores),
        readSecret: async (ref) => {
          const read = await secrets.read(ref, request, environment);
          return read === undefined ? undefined : secretText(read.data);
        },
        clock: environment.clock,
        signal: environment.signal,
      },
      recordedTarget(keyText(secret)),
    );
    if (store.empty === undefined) {
      throw new CapstanError({
        code: "linode.unsupported",
        reason: "Unsupported",
        message: `the object store of Secret ${keyText(secret)} cannot empty buckets; empty it manually, or set its key "type" to s3`,
      });
    }
    await store.empty(options);
  },
});

/** The object stores of the application, for buckets that go with all that is in them. */
export const bucketEmptier = (): Use<BucketEmptier> => ({ permissions: [], attach: () => ({ sources: [], open }) });
