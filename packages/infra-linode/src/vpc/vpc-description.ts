import type { Identity } from "@capstan/kit/resource";

const maxLength = 255;

/** VPCs have no tags: whose one is stands at the end of its description. */
export const vpcDescription = (wanted: string | undefined, { tag }: Pick<Identity, "tag">): string => {
  const room = maxLength - tag.length - 1;
  return wanted === undefined || wanted === "" ? tag : `${wanted.slice(0, room)} ${tag}`;
};

/** The part that a user wrote. */
export const plainDescription = (description: string): string => description.replace(/ ?capstan-uid=\S+$/, "");

/** Whether a VPC was made for an object. */
export const isMadeFor = ({ tag }: Pick<Identity, "tag">, { description }: { readonly description: string }): boolean =>
  description.endsWith(tag);
