import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { forbidden, invalid, required, selectorCauses } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import { ElementalMachine, ElementalMachineTemplate } from "../api/elemental-machine.v1beta1.ts";
import { ElementalRegistration } from "../api/elemental-registration.v1beta1.ts";
import { parseImageReference } from "../bundle/image-reference.ts";
import { signingKey } from "../bundle/signature.ts";

type Spec = NonNullable<ElementalMachine["spec"]>;
type Components = NonNullable<Spec["components"]>;

const taken = "CAPSTAN_";
const variableName = /^[A-Za-z_]\w*$/;

const checkImage = (image: string, field: string): readonly Cause[] =>
  parseImageReference(image) === undefined
    ? [invalid(field, image, "must be an image reference such as registry.example/bundle:1.0")]
    : [];

const checkEnvironment = (env: Readonly<Record<string, string>>, field: string): readonly Cause[] =>
  Object.keys(env).flatMap((name) => {
    const why = `names that begin with ${taken} are set by the agent`;
    if (name.startsWith(taken)) return [forbidden(`${field}.${name}`, why)];
    return variableName.test(name) ? [] : [invalid(field, name, "must be the name of a variable")];
  });

const checkSignature = (
  { publicKeys = [], required: isRequired }: NonNullable<Components["signature"]>,
  field: string,
) => [
  ...publicKeys.flatMap((key, index) =>
    signingKey(key) === undefined
      ? [invalid(`${field}.publicKeys[${index}]`, key, "must be the PEM of an ECDSA P-256 or Ed25519 public key")]
      : [],
  ),
  ...(isRequired === true && publicKeys.length === 0
    ? [required(`${field}.publicKeys`, "a signature is required, so a key has to be named")]
    : []),
];

const checkComponents = (components: Components, field: string): readonly Cause[] => {
  const { digest, env = {}, image, signature = {} } = components;
  const named = parseImageReference(image)?.digest;
  return [
    ...checkImage(image, `${field}.image`),
    ...(digest !== undefined && named !== undefined && digest !== named
      ? [invalid(`${field}.digest`, digest, `image names the digest ${named}; leave one of the two out`)]
      : []),
    ...checkEnvironment(env, `${field}.env`),
    ...checkSignature(signature, `${field}.signature`),
  ];
};

/** Returns the problems of an ElementalMachine spec, in a machine or in a template. */
const checkSpec = ({ components, componentsBundle, selector }: Spec, field: string): readonly Cause[] => [
  ...selectorCauses(selector, `${field}.selector`),
  ...(components !== undefined && componentsBundle !== undefined
    ? [forbidden(`${field}.componentsBundle`, "components says it with more; leave one of the two out")]
    : []),
  ...(componentsBundle === undefined ? [] : checkImage(componentsBundle, `${field}.componentsBundle`)),
  ...(components === undefined ? [] : checkComponents(components, `${field}.components`)),
];

const machine: KindWebhooksV1<ElementalMachine> = {
  kind: ElementalMachine,
  validate: ({ spec = {} }) => checkSpec(spec, "spec"),
};

const template: KindWebhooksV1<ElementalMachineTemplate> = {
  kind: ElementalMachineTemplate,
  validate: ({ spec }) => {
    const { hostRef, providerID, ...made } = spec?.template.spec ?? {};
    const field = "spec.template.spec";
    const ofOne = { hostRef, providerID };
    return [
      ...Object.entries(ofOne).flatMap(([name, value]) =>
        value === undefined ? [] : [forbidden(`${field}.${name}`, "it is of one machine, not of a template")],
      ),
      ...checkSpec(made, field),
    ];
  },
};

const registration: KindWebhooksV1<ElementalRegistration> = {
  kind: ElementalRegistration,
  validate: ({ metadata: { namespace = "" }, spec }) => {
    const other = spec?.privateKeyRef?.namespace;
    const uri = spec?.config?.elemental?.registration?.uri ?? "";
    return [
      ...(other !== undefined && other !== namespace
        ? [invalid("spec.privateKeyRef.namespace", other, "the Secret has to be in the namespace of the registration")]
        : []),
      ...(uri !== "" && !URL.canParse(uri)
        ? [invalid("spec.config.elemental.registration.uri", uri, "must be a URL; leave it out to have it filled in")]
        : []),
    ];
  },
};

/** Rules of Elemental's kinds beyond their schemas. */
export const elementalWebhooks = [machine, template, registration] as readonly KindWebhooksV1[];
