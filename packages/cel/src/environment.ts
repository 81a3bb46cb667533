import { arithmetic } from "./functions/arithmetic.ts";
import { authorizerFunctions } from "./functions/authorizer.ts";
import { conversions } from "./functions/conversions.ts";
import { listFunctions, setFunctions } from "./functions/lists.ts";
import { logic } from "./functions/logic.ts";
import { namedFormatFunctions } from "./functions/named-format.ts";
import { networkFunctions } from "./functions/network.ts";
import { optionalFunctions } from "./functions/optionals.ts";
import type { Overload } from "./functions/overload.ts";
import { quantityFunctions } from "./functions/quantity.ts";
import { regexFunctions } from "./functions/regex.ts";
import { relations } from "./functions/relations.ts";
import { semverFunctions } from "./functions/semver.ts";
import { stringFormat } from "./functions/string-format.ts";
import { stringFunctions } from "./functions/strings.ts";
import { timeAccessors } from "./functions/time-accessors.ts";
import { urlFunctions } from "./functions/url.ts";
import { TypeValue } from "./values/value.ts";

/** Everything an expression can name besides its variables. */
export interface Environment {
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  /** Type names usable as values. */
  readonly types: ReadonlyMap<string, TypeValue>;
  /** True if elements of a list literal, and keys and values of a map literal, must have one type. */
  readonly homogeneousLiterals: boolean;
}

const typeNames = [
  "bool",
  "int",
  "uint",
  "double",
  "string",
  "bytes",
  "list",
  "map",
  "null_type",
  "type",
  "optional_type",
  "google.protobuf.Timestamp",
  "google.protobuf.Duration",
  "net.IP",
  "net.CIDR",
  "kubernetes.Quantity",
  "kubernetes.URL",
  "kubernetes.Semver",
];

const byName = (overloads: readonly Overload[]): ReadonlyMap<string, readonly Overload[]> =>
  Map.groupBy(overloads, ({ name }) => name);

/** The functions of a current Kubernetes release: CEL's own and the libraries Kubernetes adds. */
export const kubernetesEnvironment: Environment = {
  functions: byName([
    ...logic,
    ...arithmetic,
    ...relations,
    ...conversions,
    ...timeAccessors,
    ...stringFunctions,
    ...stringFormat,
    ...regexFunctions,
    ...listFunctions,
    ...setFunctions,
    ...optionalFunctions,
    ...urlFunctions,
    ...quantityFunctions,
    ...networkFunctions,
    ...namedFormatFunctions,
    ...semverFunctions,
    ...authorizerFunctions,
  ]),
  types: new Map(typeNames.map((name) => [name, new TypeValue(name)])),
  homogeneousLiterals: true,
};
