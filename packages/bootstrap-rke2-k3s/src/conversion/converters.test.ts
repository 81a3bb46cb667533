import { admissionOf } from "@capstan/testing";
import { expect, it } from "vitest";
import { allWebhooks } from "../admission/webhooks.ts";
import { KThreesConfig, KThreesConfigV1Beta1 } from "../api.ts";

const { converted } = admissionOf(allWebhooks);

it.each([
  [true, { disableCloudController: false, cloudProviderName: "" }],
  [false, { disableCloudController: true, cloudProviderName: "external" }],
])("makes two fields of k3s's disableExternalCloudProvider: %s", (flag, fields) => {
  const older = { spec: { serverConfig: { disableExternalCloudProvider: flag } } };
  const newer = converted(KThreesConfig, "v1beta1", older);
  expect(newer).toEqual({ spec: { serverConfig: fields } });
  expect(converted(KThreesConfigV1Beta1, "v1beta2", newer)).toEqual(older);
});
