import type { KubeObject } from "@capstan/schema";
import { changed, filled, partOf, textOf } from "../values/object-parts.ts";
import type { Part } from "../values/object-parts.ts";

const withNames = (spec: Part): Part =>
  changed(spec, "names", (value) => {
    const names = partOf(value);
    const kind = textOf(names["kind"]);
    return kind === "" ? names : filled(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  });

const withPort = (conversion: Part): Part =>
  changed(conversion, "webhook", (webhook) =>
    changed(partOf(webhook), "clientConfig", (config) =>
      changed(partOf(config), "service", (service) => filled(partOf(service), { port: 443 })),
    ),
  );

/** singular, listKind, conversion strategy None and the webhook's port. */
export const withCrdDefaults = (object: KubeObject): KubeObject =>
  changed(object, "spec", (value) => {
    const spec = filled(withNames(partOf(value)), { conversion: { strategy: "None" } });
    return changed(spec, "conversion", (conversion) => withPort(partOf(conversion)));
  }) as KubeObject;
