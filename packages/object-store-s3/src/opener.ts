import { CapstanError } from "@capstan/contract";
import { type CreateObjectStoreV1, type ObjectStoreOpener, withOptions } from "@capstan/contract/v1";
import { declaration, type S3ObjectStoreOptions } from "./options.ts";
import { readSettings } from "./settings.ts";
import { s3Store } from "./store.ts";

/** Opens stores of type `s3`: Linode Object Storage and every other S3-compatible service. Opening makes no call. */
export const s3ObjectStores = (options: S3ObjectStoreOptions): ObjectStoreOpener => ({
  contract: "v1",
  type: "s3",
  open: (data) => s3Store(readSettings(data, { forcePathStyle: options.forcePathStyle ?? false }), options),
});

/** The variable of upstream's manager for Linode. */
const pathStyleVariable = "LINODE_OBJECT_STORAGE_USE_PATH_STYLE";

const pathStyleOf = (value: string): boolean => {
  const word = value.trim().toLowerCase();
  if (word === "true") return true;
  if (word === "" || word === "false") return false;
  throw new CapstanError({
    code: "objectstore.environment_invalid",
    reason: "ObjectStoreEnvironmentInvalid",
    message: `${pathStyleVariable} must be true or false, not "${value}"`,
    retry: { kind: "never" },
  });
};

/**
 * The stores as the command loads them: they also serve Secrets that name no type. `LINODE_OBJECT_STORAGE_USE_PATH_STYLE` speaks for
 * Secrets without the key `forcePathStyle`.
 */
export const createObjectStore = withOptions(declaration, ({ clock, guard, proxyFor, variable }, options) => ({
  ...s3ObjectStores({
    clock,
    forcePathStyle: pathStyleOf(variable(pathStyleVariable) ?? ""),
    ...(proxyFor !== undefined && { proxyFor }),
    ...(guard !== undefined && { guard }),
    ...options,
  }),
  isDefault: true,
})) satisfies CreateObjectStoreV1;
