import remarkGfm from 'remark-gfm';
import remarkValidateLinks from 'remark-validate-links';

// `repository: false`: links to the repository on GitHub are checked nowhere, links between
// files here.
export default { plugins: [remarkGfm, [remarkValidateLinks, { repository: false }]] };
