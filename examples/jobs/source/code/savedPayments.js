// What comes out: the payments that were saved.
return $('Save Payments').all();
