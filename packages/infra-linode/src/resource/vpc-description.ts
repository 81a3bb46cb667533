import type { Identity } from "@capstan/kit/resource";
import { ownerIn, ownerKey, ownerText } from "@capstan/kit/engine";

const maxLength = 255;

type Maker = Pick<Identity, "owner" | "tag">;

const ownerMark = ({ owner }: Maker): string => `${ownerKey}=${ownerText(owner)}`;

/** Marks at the end of a description: VPCs have no tags. */
const ending = / ?capstan-uid=\S+(?: capstan-owner=\S+)?$/;

/** The description of a VPC that is made for an object. */
export const vpcDescription = (wanted: string | undefined, maker: Maker): string => {
  const tags = `${maker.tag} ${ownerMark(maker)}`;
  const room = maxLength - tags.length - 1;
  return wanted === undefined || wanted === "" ? tags : `${wanted.slice(0, room)} ${tags}`;
};

/** The part that a user wrote. */
export const plainDescription = (description: string): string => description.replace(ending, "");

/** Returns the owner's marks in a description, as tags. */
export const tagsIn = (description: string): readonly string[] =>
  (ending.exec(description)?.[0] ?? "").split(" ").flatMap((tag) => {
    if (!tag.startsWith(`${ownerKey}=`)) return tag === "" ? [] : [tag];
    const owner = ownerIn(tag.slice(ownerKey.length + 1));
    return owner === undefined ? [] : [`${ownerKey}=${owner.mark}`, `capstan-of=${owner.namespace}/${owner.name}`];
  });
