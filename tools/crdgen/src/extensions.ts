/** Where our definitions deliberately differ from upstream's. */
export interface Extension {
  readonly kind: string;
  readonly why: string;
  /** Lines as `factsOf` writes them: those only we have, and those of upstream that they replace. */
  readonly facts: readonly string[];
}

const initialization = [
  'v1alpha2 .status.initialization minProperties=1 type="object"',
  'v1alpha2 .status.initialization.provisioned type="boolean"',
];

const provisioned =
  "Upstream sets status.ready only. Contract v1beta2 reads status.initialization.provisioned, so we write both.";

const length = (minimum: number, maximum: number) =>
  `{"message":"metadata.name must have ${minimum} to ${maximum} characters","rule":"size(self.metadata.name) >= ${minimum} && size(self.metadata.name) <= ${maximum}"}`;

const labelRules = [
  `{"message":"metadata.name must begin and end with a letter or digit","rule":"self.metadata.name.matches('^[[:alnum:]]([-_.[:alnum:]]+[[:alnum:]])*$')"}`,
  `{"message":"metadata.name must not contain --, __ or ..","rule":"!self.metadata.name.contains('--') && !self.metadata.name.contains('__') && !self.metadata.name.contains('..')"}`,
];

const named = (rules: readonly string[]): readonly string[] => [
  'v1alpha2  type="object"',
  `v1alpha2  type="object" x-validations=[${rules.join(",")}]`,
];

const names =
  "The name becomes a label at Linode: its limits are rules of the object, seen before anything is created.";

const metadata =
  "Templates of the contract have metadata for what is made from them; upstream's has none. By it machines are asked for bootstrap reports.";

const templateMetadata = [
  'v1alpha2 .spec.template.metadata type="object"',
  'v1alpha2 .spec.template.metadata.annotations type="object"',
  'v1alpha2 .spec.template.metadata.annotations{} type="string"',
  'v1alpha2 .spec.template.metadata.labels type="object"',
  'v1alpha2 .spec.template.metadata.labels{} type="string"',
];

export const extensions: readonly Extension[] = [
  { kind: "LinodeCluster", why: provisioned, facts: initialization },
  { kind: "LinodeMachine", why: provisioned, facts: initialization },
  { kind: "LinodeCluster", why: names, facts: named([length(3, 32)]) },
  { kind: "LinodeClusterTemplate", why: names, facts: named([length(3, 26)]) },
  { kind: "LinodeMachine", why: names, facts: named([length(3, 64), ...labelRules]) },
  { kind: "LinodeMachineTemplate", why: metadata, facts: templateMetadata },
  { kind: "LinodeMachineTemplate", why: names, facts: named([length(3, 58), ...labelRules]) },
];
