// Decides which payments can be decided: those that wait, and that only jobs have written.
const { Run } = $('Choose Run').first().json;
const rows = $input.all().map(({ json }) => json).filter(({ run, result }) => Run && run === Run && result === 'to approve');
const genuine = rows.filter(({ seal, check }) => seal === check);
return genuine.length > 0 ? genuine.map((json) => ({ json })) : [{ json: { fileRemark: 'There is nothing to decide.' } }];
