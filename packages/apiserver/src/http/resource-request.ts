import type { ResourceDefinition, SubresourceDefinition } from "../model/types.ts";
import type { RequestContext } from "./context.ts";

/** A request for a resource that exists. */
export interface ResourceRequest extends RequestContext {
  readonly definition: ResourceDefinition;
  readonly subresource: SubresourceDefinition | undefined;
}
