import { keyFromText, keyOf, keyText, toBase64 } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { partOf, textOf } from "../values/object-parts.ts";
import { isStatusError } from "../model/status-error.ts";
import type { ExtensionFactory } from "../registry/extension.ts";
import { controller } from "./controller.ts";

const secrets = { group: "", plural: "secrets" } as const;
const serviceAccounts = { group: "", plural: "serviceaccounts" } as const;
const nameAnnotation = "kubernetes.io/service-account.name";
const uidAnnotation = "kubernetes.io/service-account.uid";

/** The name of the ServiceAccount a token Secret belongs to; undefined for any other Secret. */
const accountName = (secret: KubeObject): string | undefined =>
  secret["type"] === "kubernetes.io/service-account-token" ? secret.metadata.annotations?.[nameAnnotation] : undefined;

/** Fills Secrets of type kubernetes.io/service-account-token, and deletes those whose ServiceAccount is gone. */
export const tokenSecrets: ExtensionFactory = (environment) => {
  const { store, caCertificate } = environment;

  const reconcile = async (text: string): Promise<void> => {
    const key = keyFromText(text);
    const secret = store.peek(secrets, key);
    const name = secret && accountName(secret);
    if (secret === undefined || name === undefined || secret.metadata.deletionTimestamp !== undefined) return;
    const namespace = key.namespace ?? "";
    const account = store.peek(serviceAccounts, { namespace, name });
    const known = secret.metadata.annotations?.[uidAnnotation];
    const uid = account?.metadata.uid ?? "";
    if (account === undefined || (known !== undefined && known !== uid)) {
      const { uid: own = "" } = secret.metadata;
      await store.delete(secrets, key, { preconditions: { uid: own } }).catch((error: unknown) => {
        if (!isStatusError(error, "NotFound")) throw error;
      });
      return;
    }
    const data = partOf(secret["data"]);
    const isComplete = ["token", "ca.crt", "namespace"].every((member) => textOf(data[member]) !== "") && known === uid;
    if (isComplete) return;
    const { metadata } = secret;
    const bound = { kind: "Secret", name: metadata.name ?? "", uid: metadata.uid ?? "" } as const;
    const token =
      textOf(data["token"]) || toBase64(await environment.issueServiceAccountToken({ namespace, name, uid, bound }));
    await store.update(secrets, {
      ...secret,
      metadata: { ...metadata, annotations: { ...metadata.annotations, [uidAnnotation]: uid } },
      data: { ...data, token, "ca.crt": toBase64(caCertificate), namespace: toBase64(namespace) },
    });
  };

  return controller(environment, {
    name: "token-secrets",
    watch: (add) => [
      store.watch(secrets, ({ object }) => {
        if (accountName(object) !== undefined) add(keyText(keyOf(object)));
      }),
      store.watch(serviceAccounts, ({ object }) => {
        const { namespace = "", name } = object.metadata;
        for (const secret of store.peekAll(secrets, { namespace })) {
          if (accountName(secret) === name) add(keyText(keyOf(secret)));
        }
      }),
    ],
    reconcile,
  });
};
