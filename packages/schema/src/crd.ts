import type { Kind, PrinterColumn } from "./kind.ts";
import type { KubeObject } from "./resource.ts";
import type { StructuralSchema } from "./structural/structural-schema.ts";

/** One entry of `spec.versions` of a CustomResourceDefinition. */
export interface CustomResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: StructuralSchema };
  readonly subresources?: {
    readonly status?: Readonly<Record<string, never>>;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly additionalPrinterColumns?: readonly (Omit<PrinterColumn, "path" | "type"> & {
    readonly jsonPath: string;
    readonly type: string;
  })[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** Where the API server sends objects for conversion: a Service in the cluster, or any https address. */
export type ConversionClientConfig =
  | {
      readonly service: {
        readonly namespace: string;
        readonly name: string;
        readonly path?: string;
        readonly port?: number;
      };
      readonly caBundle?: string;
    }
  | { readonly url: string; readonly caBundle?: string };

/** A CustomResourceDefinition (apiextensions.k8s.io/v1) as it is sent to the API server. */
export interface CustomResourceDefinition extends KubeObject {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly scope: "Namespaced" | "Cluster";
    readonly conversion?: {
      readonly strategy: "None" | "Webhook";
      readonly webhook?: {
        readonly conversionReviewVersions: readonly string[];
        readonly clientConfig: ConversionClientConfig;
      };
    };
    readonly versions: readonly CustomResourceVersion[];
  };
}

export interface CrdOptions {
  /** For kinds that convert by webhook. Default: Service `capstan-webhook` in namespace `capstan-system`, path `/convert`. */
  readonly conversion?: ConversionClientConfig;
}

const inCluster: ConversionClientConfig = {
  service: { namespace: "capstan-system", name: "capstan-webhook", path: "/convert", port: 443 },
};

/** The definition of a kind with all its versions, oldest first. Same input, same output, member by member. */
export const crdOf = (kind: Kind, options: CrdOptions = {}): CustomResourceDefinition => {
  const { labels, annotations } = kind;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${kind.plural}.${kind.group}`,
      ...(labels !== undefined && { labels: sorted(labels) }),
      ...(annotations !== undefined && { annotations: sorted(annotations) }),
    },
    spec: {
      group: kind.group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.singular,
        ...(kind.shortNames !== undefined && { shortNames: kind.shortNames }),
        ...(kind.categories !== undefined && { categories: kind.categories }),
      },
      scope: kind.scope ?? "Namespaced",
      ...(kind.conversion === "webhook" && {
        conversion: {
          strategy: "Webhook" as const,
          webhook: { conversionReviewVersions: ["v1"], clientConfig: options.conversion ?? inCluster },
        },
      }),
      versions: [...(kind.versions ?? []), kind].map(versionOf),
    },
  };
};

const versionOf = (kind: Kind): CustomResourceVersion => ({
  name: kind.version,
  served: kind.served,
  storage: kind.storage,
  ...(kind.deprecated !== undefined && kind.deprecated !== false && { deprecated: true }),
  ...(typeof kind.deprecated === "string" && { deprecationWarning: kind.deprecated }),
  schema: { openAPIV3Schema: ordered(kind.schema) },
  ...((kind.statusSubresource || kind.scale !== undefined) && {
    subresources: {
      ...(kind.statusSubresource && { status: {} }),
      ...(kind.scale !== undefined && {
        scale: {
          specReplicasPath: kind.scale.specReplicas,
          statusReplicasPath: kind.scale.statusReplicas,
          ...(kind.scale.labelSelector !== undefined && { labelSelectorPath: kind.scale.labelSelector }),
        },
      }),
    },
  }),
  ...(kind.columns !== undefined && {
    additionalPrinterColumns: kind.columns.map(({ name, path, type = "string", ...rest }) => ({
      name,
      type,
      jsonPath: path,
      ...rest,
    })),
  }),
  ...(kind.selectableFields !== undefined && {
    selectableFields: kind.selectableFields.map((jsonPath) => ({ jsonPath })),
  }),
});

const sorted = <T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** A schema with properties in alphabetical order and the description first. */
const ordered = (schema: StructuralSchema): StructuralSchema => {
  const { description, properties, items, additionalProperties, ...rest } = schema;
  return {
    ...(description !== undefined && { description }),
    ...sorted(rest as Readonly<Record<string, unknown>>),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: ordered(additionalProperties) }
      : additionalProperties !== undefined && { additionalProperties }),
    ...(items !== undefined && { items: ordered(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(sorted(properties)).map(([name, property]) => [name, ordered(property)]),
      ),
    }),
  };
};
