import { object, text } from "@capstan/simulation";
import type { ResourceKind } from "../resources/resource-kind.ts";
import { readOnly } from "../resources/writable.ts";

interface Identity {
  readonly principalId?: string;
  readonly clientId?: string;
}

/** Identities that machines act as. */
export const identities: ResourceKind<Identity> = {
  type: "Microsoft.ManagedIdentity/userAssignedIdentities",
  form: "compute",
  put: { created: 201, updated: 200, state: "Succeeded", ownLocation: true },
  delete: { status: 200 },
  durationMs: () => undefined,
  properties: object({
    isolationScope: text(),
    tenantId: readOnly,
    principalId: readOnly,
    clientId: readOnly,
    provisioningState: readOnly,
  }),
  prepare: ({ resource, before }, world) => {
    const { principalId = world.newUuid(), clientId = world.newUuid() } = before?.properties ?? {};
    resource.properties = { ...resource.properties, principalId, clientId };
    resource.tags ??= {};
  },
  derived: (_, { tenantId }) => ({ tenantId }),
};
