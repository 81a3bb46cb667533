import type { Answer } from "../conformance/api.ts";
import { type Place, type Rule, ruleOf, type TenantCase } from "./tenant-case.ts";

const on = (verbs: string, resources: string, group = "", resourceNames?: readonly string[]): Rule =>
  ruleOf(group, verbs, resources, resourceNames);

const admission = "admissionregistration.k8s.io";
const admissionApi = `/apis/${admission}/v1`;
const policies = `${admissionApi}/validatingadmissionpolicies`;
const policyBindings = `${admissionApi}/validatingadmissionpolicybindings`;
const writesPolicies = on("create get update patch", "validatingadmissionpolicies", admission);
const writesPolicyBindings = on("create get update patch", "validatingadmissionpolicybindings", admission);

const policy = ({ name }: Place, paramKind?: object) => ({
  metadata: { name },
  spec: {
    ...(paramKind === undefined ? {} : { paramKind }),
    matchConstraints: {
      resourceRules: [
        { apiGroups: ["tenants.test"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["none"] },
      ],
    },
    validations: [{ expression: "true" }],
  },
});
const configMapKind = { apiVersion: "v1", kind: "ConfigMap" };
const secretKind = { apiVersion: "v1", kind: "Secret" };
const policyBinding = ({ name }: Place, paramRef?: object) => ({
  metadata: { name },
  spec: { policyName: name, validationActions: ["Audit"], ...(paramRef === undefined ? {} : { paramRef }) },
});
const sendPolicy =
  (paramKind?: object) =>
  (place: Place): Promise<Answer> =>
    place.api.post(policies, policy(place, paramKind), { as: place.as });
const sendPolicyBinding =
  (paramRef?: object) =>
  (place: Place): Promise<Answer> =>
    place.api.post(policyBindings, policyBinding(place, paramRef), { as: place.as });
const makePolicy =
  (paramKind: object) =>
  async (place: Place): Promise<readonly Answer[]> => [await place.api.post(policies, policy(place, paramKind))];
const param = { name: "x", namespace: "kube-system", parameterNotFoundAction: "Allow" };

/** What a policy reads for those who write it. */
export const policyCases: readonly TenantCase[] = [
  { title: "a policy without parameters", everywhere: [writesPolicies], send: sendPolicy() },
  { title: "a policy with parameters, without rights", everywhere: [writesPolicies], send: sendPolicy(secretKind) },
  {
    title: "a policy with parameters that one may get",
    everywhere: [writesPolicies, on("get", "secrets")],
    send: sendPolicy(secretKind),
  },
  {
    title: "a policy with parameters that one may get in a namespace",
    here: [on("get", "secrets")],
    everywhere: [writesPolicies],
    send: sendPolicy(secretKind),
  },
  {
    title: "a policy with parameters of which one may get one",
    everywhere: [writesPolicies, on("get", "secrets", "", ["x"])],
    send: sendPolicy(secretKind),
  },
  {
    title: "a policy with parameters that one may list",
    everywhere: [writesPolicies, on("list watch", "secrets")],
    send: sendPolicy(secretKind),
  },
  {
    title: "a policy with parameters of an unknown kind",
    everywhere: [writesPolicies],
    send: sendPolicy({ apiVersion: "tenants.test/v1", kind: "Nothing" }),
  },
  {
    title: "a policy with parameters of an unknown kind, as one who may get everything",
    everywhere: [writesPolicies, on("get", "*", "*")],
    send: sendPolicy({ apiVersion: "tenants.test/v1", kind: "Nothing" }),
  },
  {
    title: "a policy with parameters of an unknown kind, as one who may get what it might be",
    everywhere: [writesPolicies, on("get", "nothings", "tenants.test")],
    send: sendPolicy({ apiVersion: "tenants.test/v1", kind: "Nothing" }),
  },
  {
    title: "a label on a policy with parameters",
    everywhere: [writesPolicies],
    given: makePolicy(secretKind),
    send: ({ api, as, name }) => api.mergePatch(`${policies}/${name}`, { metadata: { labels: { a: "b" } } }, { as }),
  },
  {
    title: "other parameters of a policy",
    everywhere: [writesPolicies],
    given: makePolicy(configMapKind),
    send: ({ api, as, name }) => api.mergePatch(`${policies}/${name}`, { spec: { paramKind: secretKind } }, { as }),
  },
  {
    title: "another expression of a policy with parameters",
    everywhere: [writesPolicies],
    given: makePolicy(secretKind),
    send: ({ api, as, name }) =>
      api.mergePatch(`${policies}/${name}`, { spec: { validations: [{ expression: "params == null" }] } }, { as }),
  },
  {
    title: "the binding of a policy without parameters",
    everywhere: [writesPolicyBindings],
    send: sendPolicyBinding(),
  },
  {
    title: "the binding of a policy with one parameter, without rights",
    everywhere: [writesPolicyBindings],
    given: makePolicy(secretKind),
    send: sendPolicyBinding(param),
  },
  {
    title: "the binding of a policy with one parameter, as one who may get it",
    everywhere: [writesPolicyBindings, on("get", "secrets", "", ["x"])],
    given: makePolicy(secretKind),
    send: sendPolicyBinding(param),
  },
  {
    title: "the binding of a policy with one parameter, as one who may get another",
    everywhere: [writesPolicyBindings, on("get", "secrets", "", ["y"])],
    given: makePolicy(secretKind),
    send: sendPolicyBinding(param),
  },
  {
    title: "the binding of a policy with one parameter elsewhere, as one who may get it here",
    here: [on("get", "secrets")],
    everywhere: [writesPolicyBindings],
    given: makePolicy(secretKind),
    send: sendPolicyBinding(param),
  },
  {
    title: "the binding of a policy with parameters by labels, as one who may get one",
    everywhere: [writesPolicyBindings, on("get", "secrets", "", ["x"])],
    given: makePolicy(secretKind),
    send: sendPolicyBinding({ selector: {}, namespace: "kube-system", parameterNotFoundAction: "Allow" }),
  },
  {
    title: "the binding of a policy with parameters by labels, as one who may get all",
    everywhere: [writesPolicyBindings, on("get", "secrets")],
    given: makePolicy(secretKind),
    send: sendPolicyBinding({ selector: {}, namespace: "kube-system", parameterNotFoundAction: "Allow" }),
  },
  {
    title: "the binding of a policy with parameters by labels, as one who may list all",
    everywhere: [writesPolicyBindings, on("list", "secrets")],
    given: makePolicy(secretKind),
    send: sendPolicyBinding({ selector: {}, namespace: "kube-system", parameterNotFoundAction: "Allow" }),
  },
  {
    title: "the binding of a policy with parameters by labels here, as one who may list them",
    here: [on("list", "secrets")],
    everywhere: [writesPolicyBindings],
    given: makePolicy(secretKind),
    send: (place) =>
      sendPolicyBinding({ selector: {}, namespace: place.namespace, parameterNotFoundAction: "Allow" })(place),
  },
  {
    title: "the binding of a policy with a parameter of the request's namespace, as one who may get it here",
    here: [on("get", "secrets")],
    everywhere: [writesPolicyBindings],
    given: makePolicy(secretKind),
    send: sendPolicyBinding({ name: "x", parameterNotFoundAction: "Allow" }),
  },
  {
    title: "the binding of a policy with a parameter of the request's namespace, as one who may get it everywhere",
    everywhere: [writesPolicyBindings, on("get", "secrets")],
    given: makePolicy(secretKind),
    send: sendPolicyBinding({ name: "x", parameterNotFoundAction: "Allow" }),
  },
  {
    title: "a wrong binding of a policy with a parameter",
    everywhere: [writesPolicyBindings],
    given: makePolicy(secretKind),
    send: sendPolicyBinding({ name: "x", selector: {} }),
  },
  {
    title: "the binding of a policy that is missing, with a parameter",
    everywhere: [writesPolicyBindings],
    send: sendPolicyBinding(param),
  },
  {
    title: "a label on a binding with a parameter",
    everywhere: [writesPolicyBindings],
    given: async (place) => [
      ...(await makePolicy(secretKind)(place)),
      await place.api.post(policyBindings, policyBinding(place, param)),
    ],
    send: ({ api, as, name }) =>
      api.mergePatch(`${policyBindings}/${name}`, { metadata: { labels: { a: "b" } } }, { as }),
  },
  {
    title: "another parameter of a binding",
    everywhere: [writesPolicyBindings],
    given: async (place) => [
      ...(await makePolicy(secretKind)(place)),
      await place.api.post(policyBindings, policyBinding(place, param)),
    ],
    send: ({ api, as, name }) =>
      api.mergePatch(`${policyBindings}/${name}`, { spec: { paramRef: { name: "y" } } }, { as }),
  },
];
