// Decides which approved payments are checked again before they're sent: those with a right seal.
const rows = $('Seals').all().map(({ json }) => json).filter(({ seal, check, result, decision }) => seal && seal === check && result === 'not sent' && decision === 'approved');
return rows.length > 0 ? rows.map((json) => ({ json })) : [{ json: { fileRemark: 'Nothing is approved.' } }];
