import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { type Api, createApi, type Target } from "./api.ts";
import { gadgetCrd, widgetCrd } from "./crds.ts";
import { eventually, expectCode } from "./expectations.ts";
import { coreApi, gadgets, group, widgetApi, widgets } from "./objects.ts";
import { sectionA } from "./section-a.ts";
import { sectionBCreate } from "./section-b-create.ts";
import { sectionBDelete } from "./section-b-delete.ts";
import { sectionCList } from "./section-c-list.ts";
import { sectionCWatch } from "./section-c-watch.ts";
import { sectionE } from "./section-e.ts";
import { sectionF } from "./section-f.ts";
import { sectionHDefinitions } from "./section-h-definitions.ts";
import { sectionH } from "./section-h.ts";
import { sectionIConversion } from "./section-i-conversion.ts";
import { sectionIPolicies } from "./section-i-policies.ts";
import { sectionI } from "./section-i.ts";
import { sectionJ } from "./section-j.ts";
import { sectionKControllers } from "./section-k-controllers.ts";
import { sectionK } from "./section-k.ts";
import { sectionLActions } from "./section-l-actions.ts";
import { sectionLKinds } from "./section-l-kinds.ts";
import { sectionLNodes } from "./section-l-nodes.ts";
import { sectionLServices } from "./section-l-services.ts";
import { sectionLTokens } from "./section-l-tokens.ts";
import { sectionLValidation } from "./section-l-validation.ts";
import type { Section } from "./suite.ts";

const sections: Readonly<Record<string, Section>> = {
  "A discovery and content": sectionA,
  "B create and replace": sectionBCreate,
  "B delete and subresources": sectionBDelete,
  "C lists": sectionCList,
  "C watches": sectionCWatch,
  "E patches": sectionE,
  "F server-side apply": sectionF,
  "H custom resources": sectionH,
  "H definitions": sectionHDefinitions,
  "I admission webhooks": sectionI,
  "I admission policies": sectionIPolicies,
  "I conversion": sectionIConversion,
  "J users and rights": sectionJ,
  "K controllers": sectionKControllers,
  "K built-in kinds": sectionK,
  "L actions and races": sectionLActions,
  "L kinds": sectionLKinds,
  "L nodes": sectionLNodes,
  "L services and claims": sectionLServices,
  "L validation": sectionLValidation,
  "L tokens and certificates": sectionLTokens,
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
