import type { KubeObject } from "@capstan/schema";
import { isStatusError } from "../model/status-error.ts";
import type { ExtensionEnvironment, ExtensionFactory } from "../registry/extension.ts";
import type { ResourceRef } from "../model/types.ts";
import { controller } from "./controller.ts";

const namespaces = { group: "", plural: "namespaces" } as const;
const serviceAccounts = { group: "", plural: "serviceaccounts" } as const;
const configMaps = { group: "", plural: "configmaps" } as const;

/** An object every namespace has. */
interface NamespaceDefault {
  readonly controllerName: string;
  readonly ref: ResourceRef;
  readonly name: string;
  readonly make: (namespace: string) => KubeObject;
  /** The object as it should be, or the same object if it is right. */
  readonly mend: (object: KubeObject) => KubeObject;
}

const keepDefault =
  ({ store }: ExtensionEnvironment, wanted: NamespaceDefault) =>
  async (namespace: string) => {
    const owner = store.peek(namespaces, { name: namespace });
    if (owner === undefined || owner.metadata.deletionTimestamp !== undefined) return;
    const found = store.peek(wanted.ref, { namespace, name: wanted.name });
    if (found === undefined) {
      await store.create(wanted.ref, wanted.make(namespace)).catch((error: unknown) => {
        if (!isStatusError(error, "AlreadyExists")) throw error;
      });
      return;
    }
    const mended = wanted.mend(found);
    if (mended !== found) await store.update(wanted.ref, mended);
  };

/** Keeps one object in every namespace that is not being deleted. */
const namespaceDefault = (environment: ExtensionEnvironment, wanted: NamespaceDefault) => {
  const { store } = environment;
  return controller(environment, {
    name: wanted.controllerName,
    watch: (add) => [
      store.watch(namespaces, ({ object }) => add(object.metadata.name!)),
      store.watch(wanted.ref, ({ type, object }) => {
        const { name, namespace } = object.metadata;
        if (name === wanted.name && type !== "ADDED") add(namespace!);
      }),
    ],
    reconcile: keepDefault(environment, wanted),
  });
};

/** Gives every namespace the ServiceAccount `default`. */
export const defaultServiceAccount: ExtensionFactory = (environment) =>
  namespaceDefault(environment, {
    controllerName: "default-service-account",
    ref: serviceAccounts,
    name: "default",
    make: (namespace) => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace } }),
    mend: (object) => object,
  });

const rootCa = "kube-root-ca.crt";

/** Gives every namespace the ConfigMap `kube-root-ca.crt` with the certificate of this server's authority. */
export const rootCaPublisher: ExtensionFactory = (environment) => {
  const data = { "ca.crt": environment.caCertificate };
  const isRight = (object: KubeObject): boolean =>
    (object["data"] as Readonly<Record<string, string>> | undefined)?.["ca.crt"] === environment.caCertificate;
  return namespaceDefault(environment, {
    controllerName: "root-ca-publisher",
    ref: configMaps,
    name: rootCa,
    make: (namespace) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: rootCa,
        namespace,
        annotations: { "kubernetes.io/description": "The certificate authority to verify this API server with." },
      },
      data,
    }),
    mend: (object) => (isRight(object) ? object : { ...object, data }),
  });
};
