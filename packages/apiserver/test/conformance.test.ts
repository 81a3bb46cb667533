import { afterAll, beforeAll, describe } from "vitest";
import type { ApiServer } from "../src/index.ts";
import { type Api, createApi, type Target } from "./conformance/api.ts";
import { gadgetCrd, widgetCrd } from "./conformance/crds.ts";
import { eventually, expectCode } from "./conformance/expectations.ts";
import { gadgets, widgets } from "./conformance/objects.ts";
import { sectionA } from "./conformance/section-a.ts";
import { sectionBCreate } from "./conformance/section-b-create.ts";
import { sectionBDelete } from "./conformance/section-b-delete.ts";
import { sectionCList } from "./conformance/section-c-list.ts";
import { sectionCWatch } from "./conformance/section-c-watch.ts";
import { sectionE } from "./conformance/section-e.ts";
import { sectionF } from "./conformance/section-f.ts";
import { sectionHDefinitions } from "./conformance/section-h-definitions.ts";
import { sectionH } from "./conformance/section-h.ts";
import { sectionIConversion } from "./conformance/section-i-conversion.ts";
import { sectionIPolicies } from "./conformance/section-i-policies.ts";
import { sectionI } from "./conformance/section-i.ts";
import { sectionJ } from "./conformance/section-j.ts";
import { sectionKControllers } from "./conformance/section-k-controllers.ts";
import { sectionK } from "./conformance/section-k.ts";
import type { Section } from "./conformance/suite.ts";
import { startTarget } from "./embedded-server.ts";

let server: ApiServer;
let target: Target;
let api: Api;

beforeAll(async () => {
  ({ server, target } = await startTarget());
  api = createApi(target);
  const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await api.post(crds, widgetCrd);
  await api.post(crds, gadgetCrd);
  await eventually(async () => {
    expectCode(await api.get(widgets("default")), 200);
    expectCode(await api.get(gadgets), 200);
  });
});

afterAll(async () => {
  await api.close();
  await server.stop();
});

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
};

describe.each(Object.entries(sections))("%s", (title, section) => {
  const namespace = `conf-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  beforeAll(async () => {
    expectCode(await api.post("/api/v1/namespaces", { metadata: { name: namespace } }), 201);
  });
  section(() => ({ api, target, namespace }));
});
