import { chooseContract, conditionOf, infraMachine } from "@capstan/contract/wire";
import { expect, it } from "vitest";

const crd = {
  metadata: {
    name: "acmemachines.infrastructure.cluster.x-k8s.io",
    labels: { "cluster.x-k8s.io/v1beta2": "v1alpha1" },
  },
};
const object = {
  apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha1",
  kind: "AcmeMachine",
  metadata: { namespace: "team", name: "orchid-0" },
  spec: {},
  status: { initialization: { provisioned: true }, conditions: [{ type: "Ready", status: "True", reason: "Ready" }] },
};

it("the README's example does what its comments say", () => {
  // Which contract a kind speaks stands on its CRD; v1beta1 and v1beta2 keep the same facts in different places.
  const { contract, version } = chooseContract(crd.metadata.name, crd.metadata.labels);
  const fields = infraMachine.for(contract);

  const isProvisioned = fields.provisioned.get(object); // status.initialization.provisioned, or status.ready
  const providerID = () => fields.providerID.require(object); // throws wire.field_missing, naming object and path
  const patch = fields.failureDomain.patch("a"); // the merge patch that sets it
  const ready = conditionOf(object, "Ready", contract);
  expect({ version, isProvisioned, patch, ready }).toMatchObject({ version: "v1alpha1", isProvisioned: true });
  expect(providerID).toThrow(expect.objectContaining({ code: "wire.field_missing" }));
});
