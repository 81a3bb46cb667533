import { SecretResource } from "@capstan/contract/wire";
import type { Credentials } from "@capstan/kit/machine";
import type { KubeObject, Resource, SecretReference } from "@capstan/schema";
import type { Connect } from "../cloud/connections.ts";
import { namedSecret } from "../cloud/secret-ref.ts";
import type { LinodeProviderOptions } from "../options.ts";
import { clusterOwner } from "./cluster-owner.ts";
import { finalizersOf, secretHoldNames } from "./finalizers.ts";

interface Thing extends KubeObject {
  readonly spec: { readonly credentialsRef?: SecretReference };
}

/**
 * Returns the part shared by the authors of all kinds that are one thing of the API and may be deleted with a cluster.
 */
export const thingAuthor = <O extends Thing>(
  kind: Resource<O>,
  connect: Connect,
  { driftPollMs }: LinodeProviderOptions,
) => ({
  kind,
  ...finalizersOf(kind),
  holdNames: (held: Resource) => (held.kind === SecretResource.kind ? secretHoldNames(kind) : undefined),
  ...(driftPollMs !== undefined && { driftPollMs }),
  owner: clusterOwner,
  credentialsRef: ({ object }: { readonly object: O }) => namedSecret(object.spec.credentialsRef),
  connect: ({ credentials, object }: { readonly credentials: Credentials | undefined; readonly object: O }) =>
    connect(credentials, object),
});
