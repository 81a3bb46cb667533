import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { type Api, createApi, type Target } from "./api.ts";
import { gadgetCrd, widgetCrd } from "./crds.ts";
import { eventually, expectCode } from "./expectations.ts";
import { coreApi, gadgets, group, widgetApi, widgets } from "./objects.ts";
import { discoveryAndContent } from "./discovery-and-content.ts";
import { createAndReplace } from "./create-and-replace.ts";
import { givenVersions } from "./given-versions.ts";
import { deleteAndSubresources } from "./delete-and-subresources.ts";
import { lists } from "./lists.ts";
import { watches } from "./watches.ts";
import { patches } from "./patches.ts";
import { serverSideApply } from "./server-side-apply.ts";
import { customResourceDefinitions } from "./custom-resource-definitions.ts";
import { customResources } from "./custom-resources.ts";
import { conversionWebhooks } from "./conversion-webhooks.ts";
import { admissionPolicies } from "./admission-policies.ts";
import { admissionWebhooks } from "./admission-webhooks.ts";
import { tenants } from "./tenants.ts";
import { usersAndRights } from "./users-and-rights.ts";
import { controllers } from "./controllers.ts";
import { builtInKinds } from "./built-in-kinds.ts";
import { actionsAndRaces } from "./actions-and-races.ts";
import { manyKeys } from "./many-keys.ts";
import { moreBuiltInKinds } from "./more-built-in-kinds.ts";
import { kubelets } from "./kubelets.ts";
import { servicesAndClaims } from "./services-and-claims.ts";
import { tokensAndCertificates } from "./tokens-and-certificates.ts";
import { validation } from "./validation.ts";
import { queryOptions } from "./query-options.ts";
import { metadataOfWrites } from "./metadata-of-writes.ts";
import { unusualRequests } from "./unusual-requests.ts";
import { typedValues } from "./typed-values.ts";
import { schemas } from "./schemas.ts";
import type { Section } from "./suite.ts";

const sections: Readonly<Record<string, Section>> = {
  "discovery and content": discoveryAndContent,
  "create and replace": createAndReplace,
  "given versions": givenVersions,
  "delete and subresources": deleteAndSubresources,
  lists: lists,
  "query options": queryOptions,
  watches: watches,
  patches: patches,
  "server-side apply": serverSideApply,
  "custom resources": customResources,
  "custom resource definitions": customResourceDefinitions,
  schemas,
  "admission webhooks": admissionWebhooks,
  "admission policies": admissionPolicies,
  "conversion webhooks": conversionWebhooks,
  "users and rights": usersAndRights,
  tenants,
  controllers: controllers,
  "built-in kinds": builtInKinds,
  "actions and races": actionsAndRaces,
  "more built-in kinds": moreBuiltInKinds,
  kubelets,
  "services and claims": servicesAndClaims,
  "metadata of writes": metadataOfWrites,
  "typed values": typedValues,
  "unusual requests": unusualRequests,
  "many keys": manyKeys,
  validation: validation,
  "tokens and certificates": tokensAndCertificates,
};

/** A server that the cases run against. */
export interface Subject {
  readonly target: Target;
  stop(): Promise<void>;
}

/** Declares every case with vitest. `exceptions`: titles of cases that do not hold for this server, and why. */
export const conformance = (start: () => Promise<Subject>, exceptions: Readonly<Record<string, string>> = {}): void => {
  let subject: Subject;
  let api: Api;

  beforeAll(async () => {
    subject = await start();
    api = createApi(subject.target);
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    await api.post(crds, widgetCrd);
    await api.post(crds, gadgetCrd);
    // A real server serves a kind, lists its version and lists its resources at three moments.
    await eventually(async () => {
      expectCode(await api.get(widgets("default")), 200);
      expectCode(await api.get(gadgets), 200);
      expect((await api.get(`/apis/${group}`)).body.versions).toHaveLength(2);
      expect((await api.get(widgetApi)).body.resources).toHaveLength(4);
    });
  });

  afterAll(async () => {
    await api.close();
    await subject.stop();
  });

  beforeEach(({ task, skip }) => {
    const reason = exceptions[task.name];
    if (reason !== undefined) skip(reason);
  });

  describe.each(Object.entries(sections))("%s", (title, section) => {
    const namespace = `conf-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
    beforeAll(async () => {
      expectCode(await api.post(`${coreApi}/namespaces`, { metadata: { name: namespace } }), 201);
      // Before there is one, Pods may be refused.
      const account = `${coreApi}/namespaces/${namespace}/serviceaccounts/default`;
      await eventually(async () => expectCode(await api.get(account), 200));
    });
    section(() => ({ api, target: subject.target, namespace }));
  });
};
