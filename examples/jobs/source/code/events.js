// The events, to look up their payments; once more if another job changed one of them meanwhile.
return $('Payments Trigger').all();
